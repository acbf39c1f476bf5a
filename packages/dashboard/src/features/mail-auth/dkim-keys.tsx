import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { api, data, type Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { CopyField } from '../../ui/copy-field.tsx'
import { Section } from '../../ui/section.tsx'
import { ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { Time } from '../../ui/time.tsx'
import type { Tone } from '../../ui/tone.ts'
import { useAction } from '../../ui/use-action.ts'
import classes from './mail-auth.module.css'
import { mailAuthMessages } from './mail-auth.messages.ts'
import { dkimKeysQuery } from './mail-auth.queries.ts'

const ConfirmName = lazy(() => import('../../ui/confirm-name.tsx').then((module) => ({ default: module.ConfirmName })))

type Key = Schema<'DkimKey'>

const tones: Record<Key['status'], Tone> = { ACTIVE: 'ok', RETIRING: 'warn', RETIRED: 'idle' }

export function DkimKeys({ domainId }: { domainId: string }) {
  const t = useMessages(mailAuthMessages)
  const { data: list, error, refetch } = useQuery(dkimKeysQuery(domainId))
  const [requested, setRequested] = useState<Key>()
  const rotate = useAction({
    run: () => data(api.POST('/api/mail/dkim/{domainId}/rotate', { params: { path: { domainId } } })),
    invalidates: [['domains', domainId]],
    done: ({ message }) => message
  })
  const retire = useAction({
    run: ({ id }: Key) =>
      data(
        api.POST('/api/mail/dkim/{domainId}/keys/{keyId}/retire', {
          params: { path: { domainId, keyId: id } },
          body: { force: true }
        })
      ),
    invalidates: [['domains', domainId]],
    done: ({ selector }) => t('key.retired', { selector }),
    onDone: () => setRequested(undefined)
  })
  return (
    <Section
      title={t('keys')}
      hint={t('keys.hint')}
      actions={
        <Button variant="default" loading={rotate.isPending} onClick={() => rotate.start()}>
          {t('rotate')}
        </Button>
      }
    >
      {error && !list && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!error && !list && <RowsSkeleton rows={2} />}
      <ul className={classes.records}>
        {list?.keys.map((key) => (
          <li key={key.id}>
            <KeyFacts dkimKey={key} onRetire={() => setRequested(key)} />
          </li>
        ))}
      </ul>
      {requested && (
        <Suspense fallback={null}>
          <ConfirmName
            title={t('retire.title', { selector: requested.selector })}
            name={requested.selector}
            action={t('retire')}
            isPending={retire.isPending}
            onConfirm={() => retire.start(requested)}
            onClose={() => setRequested(undefined)}
          >
            {t('retire.hint')}
          </ConfirmName>
        </Suspense>
      )}
    </Section>
  )
}

function KeyFacts({ dkimKey: key, onRetire }: { dkimKey: Key; onRetire(): void }) {
  const t = useMessages(mailAuthMessages)
  return (
    <>
      <div className={classes.recordHead}>
        <strong dir="ltr">{key.selector}</strong>
        <StatusBadge tone={tones[key.status]}>{t(`key.${key.status}`)}</StatusBadge>
        <span className={classes.sub}>
          {t('key.bits', { bits: key.keyLength })} <Time at={key.createdAt} />
        </span>
        {key.status === 'RETIRING' && (
          <Button size="xs" variant="default" onClick={onRetire}>
            {t('retire')}
            <span className="vh"> {key.selector}</span>
          </Button>
        )}
      </div>
      {key.status !== 'RETIRED' && !key.inDns && (
        <div className={classes.copies}>
          <CopyField label={t('record.name')} value={key.recordName} />
          <CopyField label={t('record.value')} value={key.recordValue} />
        </div>
      )}
    </>
  )
}
