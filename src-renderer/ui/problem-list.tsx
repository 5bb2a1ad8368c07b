import { CircleAlert, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Problem } from '../../src-preload/contract';
import { useText } from '../messages/use-text';
import { VisibleText } from './visible-text';
import './problem-list.css';

function ProblemLine({ problem }: { readonly problem: Problem }): ReactNode {
  const { t } = useText();
  const error = problem.severity === 'error';
  const Icon = error ? CircleAlert : TriangleAlert;
  const place = problem.line === undefined ? problem.file : `${problem.file}:${problem.line}`;
  return (
    <li className={error ? 'problem error' : 'problem warning'}>
      <Icon size={15} aria-hidden />
      <div>
        <p className="break">
          <strong>{t(error ? 'problem.error' : 'problem.warning')}: </strong>
          <VisibleText text={problem.message} />
        </p>
        <p className="muted mono break">
          <VisibleText text={place} />
        </p>
      </div>
    </li>
  );
}

/** Problems of a file, each with its place and remedy. */
export function ProblemList({ problems }: { readonly problems: readonly Problem[] }): ReactNode {
  return (
    <ul className="card problem-list">
      {problems.map((problem, index) => (
        <ProblemLine key={index} problem={problem} />
      ))}
    </ul>
  );
}
