import { useMessages } from '../i18n/i18n.tsx'
import { StatusShape } from '../ui/status-badge.tsx'
import classes from './live-sign.module.css'
import { liveMessages } from './live.messages.ts'
import { useLive } from './use-live.ts'

export function LiveSign() {
  const t = useMessages(liveMessages)
  const { state } = useLive()
  return (
    <div role="status" className={classes.sign} data-state={state} title={t('hint')}>
      {state === 'away' && (
        <>
          <StatusShape tone="warn" /> <span>{t('away')}</span>
        </>
      )}
    </div>
  )
}
