import { Button } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { api, data, type Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import card from '../../ui/card.module.css'
import { Foreign } from '../../ui/foreign.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { Time } from '../../ui/time.tsx'
import { useAction } from '../../ui/use-action.ts'
import classes from './api-tokens.module.css'
import { apiTokenMessages } from './api-tokens.messages.ts'

const ConfirmName = lazy(() => import('../../ui/confirm-name.tsx').then((module) => ({ default: module.ConfirmName })))

type Token = Schema<'ApiToken'>

export function TokenTable({ tokens }: { tokens: readonly Token[] }) {
  const t = useMessages(apiTokenMessages)
  const [requested, setRequested] = useState<Token>()
  const revoke = useAction({
    run: ({ id }: Token) => data(api.DELETE('/api/auth/tokens/{id}', { params: { path: { id } } })),
    invalidates: [['api-tokens']],
    done: (_result, { name }) => t('revoked', { name }),
    onDone: () => setRequested(undefined)
  })
  return (
    <>
      <table className={`${card.table} ${card.cards} ${classes.table}`}>
        <thead>
          <tr>
            <th scope="col">{t('name')}</th>
            <th scope="col">{t('scope')}</th>
            <th scope="col">{t('used')}</th>
            <th scope="col">{t('expires')}</th>
            <td />
          </tr>
        </thead>
        <tbody>
          {tokens.map((token) => (
            <tr key={token.id}>
              <td className={classes.name}>
                <Foreign>{token.name}</Foreign>
              </td>
              <td className={card.sub}>{t(`scope.${token.scope}`)}</td>
              <td className={card.sub}>
                {token.lastUsedAt === null ? t('used.never') : <Labelled label={t('used')} at={token.lastUsedAt} />}
              </td>
              <td className={card.sub}>
                <Expiry at={token.expiresAt} />
              </td>
              <td className={card.end}>
                <Button size="xs" variant="default" onClick={() => setRequested(token)}>
                  {t('revoke')}
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {requested && (
        <Suspense fallback={null}>
          <ConfirmName
            title={t('revoke.title', { name: requested.name })}
            name={requested.name}
            action={t('revoke')}
            isPending={revoke.isPending}
            onConfirm={() => revoke.start(requested)}
            onClose={() => setRequested(undefined)}
          >
            {t('revoke.hint')}
          </ConfirmName>
        </Suspense>
      )}
    </>
  )
}

const isPast = (at: string) => Date.parse(at) <= Date.now()

function Labelled({ label, at }: { label: string; at: string }) {
  return (
    <>
      <span className={classes.narrow}>{label} </span>
      <Time at={at} />
    </>
  )
}

function Expiry({ at }: { at: string }) {
  const t = useMessages(apiTokenMessages)
  if (isPast(at)) return <StatusBadge tone="bad">{t('expired')}</StatusBadge>
  return <Labelled label={t('expires')} at={at} />
}
