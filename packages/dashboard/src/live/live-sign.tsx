import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { useMessages } from '../i18n/i18n.tsx'
import { StatusShape } from '../ui/status-badge.tsx'
import classes from './live-sign.module.css'
import { createLive } from './live.ts'
import { liveMessages } from './live.messages.ts'

/** Holds the channel open, and says nothing while all is well: a word comes when the page no longer moves by itself. */
export function LiveSign() {
  const t = useMessages(liveMessages)
  const client = useQueryClient()
  const [live] = useState(() => createLive(client))
  const state = useSyncExternalStore(live.subscribe, live.state)
  useEffect(() => {
    void live.start()
    return () => live.stop()
  }, [live])
  return (
    <div role="status" className={classes.sign} data-state={state} title={t('hint')}>
      {state === 'away' && (
        <>
          <StatusShape tone="warn" /> {t('away')}
        </>
      )}
    </div>
  )
}
