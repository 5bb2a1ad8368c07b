import { Fragment, type ReactNode } from 'react';
import { VisibleText } from './visible-text';

/** A path that may break behind its separators, and nowhere else if it can. */
export function PathText({ path }: { readonly path: string }): ReactNode {
  return path.split(/(?<=[\\/])/).map((part, index) => (
    <Fragment key={index}>
      {index > 0 ? <wbr /> : null}
      <VisibleText text={part} />
    </Fragment>
  ));
}
