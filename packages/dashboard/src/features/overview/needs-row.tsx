import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useI18n, useMessages } from '../../i18n/i18n.tsx'
import { CutName } from '../../ui/cut-name.tsx'
import { Foreign } from '../../ui/foreign.tsx'
import { SentenceText } from '../../ui/sentence-text.tsx'
import { StatusShape } from '../../ui/status-badge.tsx'
import { Time } from '../../ui/time.tsx'
import { useAction } from '../../ui/use-action.ts'
import { certificateProblemMessages } from '../../ui/shared-texts/certificate-problem.messages.ts'
import { failureMessages } from '../../ui/shared-texts/failure.messages.ts'
import { remedyMessages } from '../../ui/shared-texts/remedy.messages.ts'
import { actionOf, actions, isQuotaName, linkOf } from './needs.ts'
import classes from './overview.module.css'
import { overviewMessages } from './overview.messages.ts'
import type { OverviewItem } from './overview.queries.ts'

const PartName = lazy(() => import('../settings/part-name.tsx').then((module) => ({ default: module.PartName })))

/** One problem and its action. */
export function NeedsRow({ item }: { item: OverviewItem }) {
  const t = useMessages(overviewMessages)
  const link = linkOf(item)
  const name = <RowName item={item} />
  return (
    <li className={classes.row}>
      <StatusShape tone={item.severity === 'problem' ? 'bad' : 'warn'} />
      <div className={classes.what}>
        <span className="vh">{t(item.severity)}</span>
        {link ? (
          <Link {...link} className={classes.name}>
            {name}
          </Link>
        ) : (
          <span className={classes.name}>{name}</span>
        )}
        <p className={classes.why}>
          {t(`code.${item.code}`)}
          {hasDetail(item) && (
            <>
              {' – '}
              <Detail item={item} />
            </>
          )}
        </p>
      </div>
      <span className={classes.when}>{item.since !== null && <Time at={item.since} />}</span>
      <span className={classes.act}>
        <RowAction item={item} />
      </span>
    </li>
  )
}

function RowName({ item: { code, title, targetType } }: { item: OverviewItem }) {
  const t = useMessages(overviewMessages)
  if (targetType === 'quota') return isQuotaName(title) ? t(`quota.${title}`) : title
  if (targetType === 'part')
    return (
      <Suspense fallback={title}>
        <PartName name={title} />
      </Suspense>
    )
  if (code === 'MAIL_HELD') return t('heldMail', { count: Number(title) })
  return <CutName name={title} tail={12} />
}

/** Whether the cause adds to the sentence. */
const hasDetail = ({ code, detail }: OverviewItem): boolean => detail !== null && code !== 'CONTAINER_LIMIT'

const message = { reason: failureMessages, problem: certificateProblemMessages, remedy: remedyMessages }

function Detail({ item: { code, detail, sentences } }: { item: OverviewItem }) {
  const t = useMessages(overviewMessages)
  const { relative } = useI18n()
  if (code === 'DISK_FILLING_UP') return t('inDays', { count: Number(detail) })
  if (code === 'CONTAINER_OUT_OF_MEMORY') return t('outOfMemory', { memory: detail ?? '' })
  if (code === 'QUOTA_NEARLY_USED') return <Foreign>{detail ?? ''}</Foreign>
  const isEnd =
    (code === 'CERTIFICATE_EXPIRED' || code === 'CERTIFICATE_EXPIRING') && !Number.isNaN(Date.parse(detail!))
  if (isEnd) return relative(detail!)
  return (
    <SentenceText by={message} sentences={sentences}>
      {detail ?? ''}
    </SentenceText>
  )
}

function RowAction({ item }: { item: OverviewItem }) {
  const t = useMessages(overviewMessages)
  const name = actionOf[item.code]
  const action = useAction({
    run: () => (name ? actions[name](item) : Promise.resolve()),
    invalidates: [['overview'], ['projects'], ['domains']],
    done: () => (name ? t(`act.${name}.done`, { name: item.title }) : '')
  })
  if (item.code === 'TWO_FACTOR_OFF')
    return (
      <Button component={Link} to="/account/security" variant="default" size="xs">
        {t('act.twoFactor')}
      </Button>
    )
  if (item.code === 'CONTAINER_OUT_OF_MEMORY')
    return (
      <Button
        renderRoot={(props) => (
          <Link {...props} to="/projects/$projectId/settings" params={{ projectId: item.targetId }} />
        )}
        variant="default"
        size="xs"
        aria-label={t('act.of', { action: t('act.size'), name: item.title })}
      >
        {t('act.size')}
      </Button>
    )
  if (!name) return null
  return (
    <Button
      variant="default"
      size="xs"
      loading={action.isPending}
      aria-label={t('act.of', { action: t(`act.${name}`), name: item.title })}
      onClick={() => action.start()}
    >
      {t(`act.${name}`)}
    </Button>
  )
}
