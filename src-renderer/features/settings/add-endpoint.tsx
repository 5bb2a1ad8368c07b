import { Plus } from 'lucide-react';
import { useId, useState, type FormEvent, type ReactNode } from 'react';
import type { Failure } from '../../../src-preload/contract';
import { useText } from '../../messages/use-text';
import { useApp } from '../../state/use-app';
import { FailureNote } from '../../ui/failure-note';

function Field(props: {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly type?: 'text' | 'password';
  readonly placeholder?: string;
}): ReactNode {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{props.label}</label>
      <input
        id={id}
        className="input"
        type={props.type ?? 'text'}
        autoComplete="off"
        spellCheck={false}
        placeholder={props.placeholder}
        value={props.value}
        onChange={(event) => props.onChange(event.target.value)}
      />
    </div>
  );
}

/** A form for any endpoint that speaks OpenAI's chat protocol. */
export function AddEndpoint(): ReactNode {
  const { t } = useText();
  const [open, setOpen] = useState(false);
  if (open) return <EndpointForm onClose={() => setOpen(false)} />;
  return (
    <button type="button" className="button" onClick={() => setOpen(true)}>
      <Plus size={15} aria-hidden />
      {t('endpoint.add')}
    </button>
  );
}

function EndpointForm({ onClose }: { readonly onClose: () => void }): ReactNode {
  const { t } = useText();
  const { gateway } = useApp();
  const [label, setLabel] = useState('');
  const [address, setAddress] = useState('');
  const [key, setKey] = useState('');
  const [state, setState] = useState<{ readonly busy: boolean; readonly error: Failure | null }>({
    busy: false,
    error: null,
  });
  const idle = state.busy || label.trim() === '' || address.trim() === '';
  const onSubmit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (idle) return;
    setState({ busy: true, error: null });
    const result = await gateway.command('provider.add', {
      label: label.trim(),
      base_url: address.trim(),
      ...(key === '' ? {} : { key: key.trim() }),
    });
    setState({ busy: false, error: result.ok ? null : result.error });
    if (result.ok) onClose();
  };
  return (
    <form className="card endpoint-form" onSubmit={(event) => void onSubmit(event)}>
      <h3>{t('endpoint.add')}</h3>
      <p className="muted small">{t('endpoint.detail')}</p>
      <Field label={t('endpoint.label')} value={label} onChange={setLabel} placeholder="llama.cpp" />
      <Field
        label={t('provider.address')}
        value={address}
        onChange={setAddress}
        placeholder="http://127.0.0.1:8080/v1"
      />
      <Field label={t('endpoint.key')} value={key} onChange={setKey} type="password" />
      <div className="form-row">
        <button type="submit" className="button primary small" aria-disabled={idle}>
          {t('endpoint.check')}
        </button>
        <button type="button" className="button quiet small" onClick={onClose}>
          {t('common.cancel')}
        </button>
      </div>
      {state.error ? <FailureNote failure={state.error} announce /> : null}
    </form>
  );
}
