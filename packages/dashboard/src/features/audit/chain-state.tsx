import { Button, Group } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { Schema } from '../../api/client.ts'
import { useI18n, useMessages } from '../../i18n/i18n.tsx'
import { Notice } from '../../ui/notice.tsx'
import { auditMessages } from './audit.messages.ts'
import { chainQuery, verifyAudit } from './audit.queries.ts'
import classes from './audit.module.css'

type Check = Schema<'AuditCheck'>

export function ChainState() {
  const t = useMessages(auditMessages)
  const { percent } = useI18n()
  const { data: latest, error } = useQuery(chainQuery)
  const all = useWholeCheck()
  const check = all.result ?? latest
  if (!check)
    return (
      <div className={classes.chain}>
        <Notice tone={error ? 'warn' : 'idle'}>{error ? error.message : t('chain.checking')}</Notice>
      </div>
    )
  const isWhole = check.checkedFrom <= check.archivedTo
  return (
    <div className={classes.chain}>
      <Notice
        tone={check.ok ? 'ok' : 'bad'}
        action={
          <Group gap="sm">
            {all.isPending && <span>{percent(all.done)}</span>}
            {(!isWhole || !check.ok) && (
              <Button size="xs" variant="default" loading={all.isPending} onClick={all.start}>
                {t('chain.all')}
              </Button>
            )}
          </Group>
        }
      >
        {all.error ? all.error.message : <Verdict check={check} isWhole={isWhole} />}
      </Notice>
    </div>
  )
}

function Verdict({ check, isWhole }: { check: Check; isWhole: boolean }) {
  const t = useMessages(auditMessages)
  const { checkedTo, checkedFrom, brokenAt, archivedTo } = check
  if (!check.ok)
    return (
      <>
        <strong>{t('chain.broken', { id: brokenAt ?? 0 })}</strong> {t('chain.broken.hint')}
      </>
    )
  return (
    <>
      {isWhole ? t('chain.whole') : t('chain.newest', { count: checkedTo - checkedFrom })}{' '}
      {archivedTo > 0 && t('chain.archived', { id: archivedTo })}
    </>
  )
}

function useWholeCheck() {
  const [done, setDone] = useState(0)
  const isGone = useRef(false)
  useEffect(() => {
    isGone.current = false
    return () => void (isGone.current = true)
  }, [])
  const { data, error, isPending, mutate } = useMutation({
    mutationFn: async (): Promise<Check> => {
      setDone(0)
      const first = await verifyAudit(0)
      let part = first
      while (part.ok && part.checkedTo < part.newest && !isGone.current) {
        setDone((part.checkedTo - first.checkedFrom) / (part.newest - first.checkedFrom))
        part = await verifyAudit(part.checkedTo)
      }
      return { ...part, checkedFrom: first.checkedFrom, archivedTo: first.archivedTo }
    }
  })
  return { result: data, error, isPending, done, start: () => (isPending ? undefined : mutate()) }
}
