import { ImageOff } from 'lucide-react';
import { useEffect, useMemo, useState, type ReactNode } from 'react';
import type { ImageReference, SessionView } from '../../../src-preload/contract';
import { formatBytes } from '../../messages/format';
import { useText } from '../../messages/use-text';
import { useLatestImage } from '../../state/use-app';
import { VisibleText } from '../../ui/visible-text';
import { countdown, latestImageOnRecord, modelReceived } from './latest-image';
import { Panel } from './panel';

function Remaining({ expiresAt }: { readonly expiresAt: number }): ReactNode {
  const { t } = useText();
  const [now, setNow] = useState(() => performance.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return (
    <span role="timer" className="image-time">
      {t('image.remaining', { time: countdown(expiresAt - now) })}
    </span>
  );
}

function ImageFacts(props: {
  readonly image: ImageReference;
  readonly source: string;
  readonly received: boolean;
}): ReactNode {
  const { t, language } = useText();
  const { image } = props;
  return (
    <dl className="fact-list">
      <dt>{t('image.source')}</dt>
      <dd className="break">
        <code className="mono">
          <VisibleText text={props.source} />
        </code>
      </dd>
      <dt>{t('image.size')}</dt>
      <dd>
        {t('image.dimensions', {
          width: image.width,
          height: image.height,
          size: formatBytes(image.bytes, language),
        })}
      </dd>
      <dt>{t('image.model')}</dt>
      <dd>{t(props.received ? 'image.received' : 'image.not_received')}</dd>
    </dl>
  );
}

/** The latest image with the time that it has left; afterwards, that it is gone and how to get another. */
export function ScreenshotPanel({ view }: { readonly view: SessionView }): ReactNode {
  const { t } = useText();
  const latest = useLatestImage(view.session_id);
  const recorded = useMemo(() => latestImageOnRecord(view), [view]);
  if (latest.status === 'live') {
    const { reference, qualified_name: tool } = latest;
    return (
      <Panel title={t('image.title')} note={<Remaining expiresAt={latest.expiresAt} />}>
        <img className="latest-image" src={latest.url} alt={t('image.alt', { tool })} />
        <ImageFacts image={reference} source={tool} received={modelReceived(view, reference.image_id)} />
      </Panel>
    );
  }
  if (!recorded || latest.status === 'unknown') return null;
  return (
    <Panel title={t('image.title')}>
      <p className="image-gone">
        <ImageOff size={18} aria-hidden />
        {t('image.expired')}
      </p>
      <ImageFacts
        image={recorded.image}
        source={recorded.qualified_name}
        received={modelReceived(view, recorded.image.image_id)}
      />
    </Panel>
  );
}
