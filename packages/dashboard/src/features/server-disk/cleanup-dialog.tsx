import { Button, Checkbox, Modal, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useI18n, useMessages } from '../../i18n/i18n.tsx'
import { Foreign } from '../../ui/foreign.tsx'
import { Notice } from '../../ui/notice.tsx'
import { EmptyState, ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { uiMessages } from '../../ui/ui.messages.ts'
import { useAction } from '../../ui/use-action.ts'
import classes from './server-disk.module.css'
import { serverDiskMessages } from './server-disk.messages.ts'
import { type CleanupGroup, type CleanupKind, cleanupPreviewQuery, serverDiskQuery, startCleanup } from './server-disk.queries.ts' // oxfmt-ignore

export function CleanupDialog({ onClose }: { onClose(): void }) {
  const t = useMessages(serverDiskMessages)
  const ui = useMessages(uiMessages)
  const { data, error, refetch } = useQuery(cleanupPreviewQuery)
  return (
    <Modal opened onClose={onClose} title={t('clean.title')} size="lg" closeButtonProps={{ 'aria-label': ui('close') }}>
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <RowsSkeleton rows={4} height={41} />}
      {data && <Choice groups={data.groups} onClose={onClose} />}
    </Modal>
  )
}

function Choice({ groups, onClose }: { groups: readonly CleanupGroup[]; onClose(): void }) {
  const t = useMessages(serverDiskMessages)
  const { bytes } = useI18n()
  const shown = groups.filter(({ count, problem }) => count > 0 || problem !== null)
  const [chosen, setChosen] = useState<ReadonlySet<CleanupKind>>(
    () => new Set(shown.filter(({ count, isRecommended }) => count > 0 && isRecommended).map(({ kind }) => kind))
  )
  const start = useAction({
    run: startCleanup,
    invalidates: [serverDiskQuery.queryKey],
    done: () => t('clean.started'),
    onDone: onClose
  })
  if (shown.length === 0) return <EmptyState title={t('clean.nothing')} hint="" />
  const choose = (kind: CleanupKind, isChosen: boolean) =>
    setChosen(new Set(isChosen ? [...chosen, kind] : [...chosen].filter((each) => each !== kind)))
  const size = shown.filter(({ kind }) => chosen.has(kind)).reduce((sum, group) => sum + group.bytes, 0)
  return (
    <Stack gap="md">
      <p>{t('clean.hint')}</p>
      {shown.map((group) => (
        <Choosable
          key={group.kind}
          group={group}
          isChosen={chosen.has(group.kind)}
          onChoose={(isChosen) => choose(group.kind, isChosen)}
        />
      ))}
      <Button
        color="red"
        disabled={chosen.size === 0}
        loading={start.isPending}
        onClick={() => start.start([...chosen])}
      >
        {t('clean.submit', { size: bytes(size) })}
      </Button>
    </Stack>
  )
}

interface ChoosableProps {
  group: CleanupGroup
  isChosen: boolean
  onChoose(isChosen: boolean): void
}

function Choosable({ group, isChosen, onChoose }: ChoosableProps) {
  const t = useMessages(serverDiskMessages)
  const { bytes } = useI18n()
  const { kind, count, bytes: size, items, problem } = group
  if (problem !== null)
    return (
      <Notice tone="warn">
        {t(`group.${kind}`)}: {problem}
      </Notice>
    )
  return (
    <div>
      <Checkbox
        label={`${t(`group.${kind}`)}: ${t('clean.items', { count, size: bytes(size) })}`}
        description={t(`about.${kind}`)}
        checked={isChosen}
        onChange={({ currentTarget }) => onChoose(currentTarget.checked)}
      />
      <details className={classes.details}>
        <summary>{t('clean.show')}</summary>
        <ul className={classes.items}>
          {items.map(({ name, bytes: each }) => (
            <li key={name}>
              <Foreign>{name}</Foreign> · {bytes(each)}
            </li>
          ))}
          {count > items.length && <li>{t('clean.more', { count: count - items.length })}</li>}
        </ul>
      </details>
    </div>
  )
}
