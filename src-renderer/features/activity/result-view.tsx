import { Image as ImageIcon } from 'lucide-react';
import { useId, useMemo, useState, type ReactNode } from 'react';
import type { CallResult, ImageReference, Json } from '../../../src-preload/contract';
import { formatBytes } from '../../messages/format';
import { useText } from '../../messages/use-text';
import { useLatestImage } from '../../state/use-app';
import { JsonTree } from '../../ui/json-tree';
import { LongText } from '../../ui/long-text';
import { VisibleText } from '../../ui/visible-text';
import { structuredOf, tableOf, textSaysMore, type TableShape } from './result-shape';

type Form = 'table' | 'data' | 'text';
const rowStep = 100;

function cellText(value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function ResultTable({ table }: { readonly table: TableShape }): ReactNode {
  const { t } = useText();
  const [shown, setShown] = useState(rowStep);
  const rest = table.rows.length - shown;
  return (
    <div className="result-table" tabIndex={0} role="group" aria-label={t('result.table')}>
      <table>
        <thead>
          <tr>
            {table.columns.map((column) => (
              <th key={column} scope="col">
                <VisibleText text={column} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.slice(0, shown).map((row, index) => (
            <tr key={index}>
              {table.columns.map((column) => (
                <td key={column}>
                  <VisibleText text={cellText(row[column])} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rest > 0 ? (
        <button type="button" className="link-button small" onClick={() => setShown(shown + rowStep * 5)}>
          {t('json.more', { count: rest })}
        </button>
      ) : null}
    </div>
  );
}

/** The picture while it lives, and always what it was (S1-72, S1-73). */
function ImageResult(props: { readonly sessionId: string; readonly image: ImageReference }): ReactNode {
  const { t, language } = useText();
  const latest = useLatestImage(props.sessionId);
  const { image } = props;
  const live = latest.status === 'live' && latest.reference.image_id === image.image_id ? latest : null;
  const facts = {
    width: image.width,
    height: image.height,
    size: formatBytes(image.bytes, language),
    type: image.media_type === 'image/png' ? 'PNG' : 'JPEG',
  };
  return (
    <div className="image-result">
      {live ? <img src={live.url} alt={t('image.alt', { tool: live.qualified_name })} /> : null}
      <p className="image-note muted">
        <ImageIcon size={14} aria-hidden />
        <span>
          {t(live ? 'image.live' : 'result.image', facts)}{' '}
          <code className="mono" title={image.digest}>
            {image.digest.slice(0, 8)}
          </code>
        </span>
      </p>
    </div>
  );
}

function FormSwitch(props: {
  readonly forms: readonly Form[];
  readonly form: Form;
  readonly onChoose: (form: Form) => void;
}): ReactNode {
  const { t } = useText();
  const name = useId();
  if (props.forms.length < 2) return null;
  return (
    <fieldset className="segmented small-segments" aria-label={t('result.form')}>
      {props.forms.map((form) => (
        <label key={form}>
          <input
            type="radio"
            name={name}
            checked={form === props.form}
            onChange={() => props.onChoose(form)}
          />
          {t(`result.form.${form}`)}
        </label>
      ))}
    </fieldset>
  );
}

/** A result in the forms that suit it; the text is what the model reads. */
export function ResultView({
  sessionId,
  result,
}: {
  readonly sessionId: string;
  readonly result: CallResult;
}): ReactNode {
  const { t } = useText();
  const structured = useMemo(() => structuredOf(result), [result]);
  const table = useMemo(() => tableOf(structured), [structured]);
  const forms: Form[] = [
    ...(table ? (['table'] as const) : []),
    ...(structured === null ? [] : (['data'] as const)),
    'text',
  ];
  const [chosen, setChosen] = useState<Form | null>(null);
  const first = !table && textSaysMore(result, structured) ? 'text' : forms[0];
  const form = chosen ?? first ?? 'text';
  return (
    <div className="result">
      <FormSwitch forms={forms} form={form} onChoose={setChosen} />
      {form === 'table' && table ? <ResultTable table={table} /> : null}
      {form === 'data' && structured !== null ? <JsonTree value={structured} /> : null}
      {form === 'text' && result.text !== '' ? (
        <pre className="raw-text" tabIndex={0} role="group" aria-label={t('result.form.text')}>
          <LongText text={result.text} />
        </pre>
      ) : null}
      {form === 'text' && result.text === '' ? <p className="muted">{t('result.empty')}</p> : null}
      {result.image ? <ImageResult sessionId={sessionId} image={result.image} /> : null}
    </div>
  );
}
