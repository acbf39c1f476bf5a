import { Button, Group, Modal, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { hasStatus } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { shownName } from '../../ui/shown-name.ts'
import { uiMessages } from '../../ui/ui.messages.ts'
import { fileMessages } from './files.messages.ts'
import classes from './files.module.css'
import { readFile, theirsKey } from './opened-file.queries.ts'
import { nameOf } from './paths.ts'

interface FileConflictProps {
  projectId: string
  path: string
  mine: string
  isPending: boolean
  onTheirs(theirs: { content: string; etag: string }): void
  /** ETag of the shown version; undefined if the file was deleted. */
  onOverwrite(etag: string | undefined): void
  onClose(): void
}

export function FileConflict({ projectId, path, mine, isPending, onTheirs, onOverwrite, onClose }: FileConflictProps) {
  const t = useMessages(fileMessages)
  const ui = useMessages(uiMessages)
  const [side, setSide] = useState<'theirs' | 'mine'>('theirs')
  const {
    data: theirs,
    error,
    refetch
  } = useQuery({
    queryKey: theirsKey(projectId, path),
    // Overwrites exactly the version that is shown.
    staleTime: Infinity,
    gcTime: 0,
    queryFn: () =>
      readFile(projectId, path).catch((reason: unknown) => {
        if (hasStatus(reason, 404)) return null
        throw reason
      })
  })
  const name = shownName(nameOf(path))
  return (
    <Modal
      opened
      size="xl"
      onClose={onClose}
      title={t('conflict.title', { name })}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': ui('close') }}
    >
      <Stack gap="md">
        <div>{t(theirs === null ? 'conflict.gone' : 'conflict.hint')}</div>
        {error && <ErrorState error={error} onRetry={() => void refetch()} />}
        {theirs === undefined && !error && <RowsSkeleton rows={6} height={20} />}
        {theirs && (
          <>
            <Group gap="xs" role="group" aria-label={t('conflict.sides')}>
              {(['theirs', 'mine'] as const).map((each) => (
                <Button
                  key={each}
                  size="xs"
                  variant={each === side ? 'filled' : 'default'}
                  aria-pressed={each === side}
                  onClick={() => setSide(each)}
                >
                  {t(`conflict.${each}`)}
                </Button>
              ))}
            </Group>
            <pre className={classes.side} tabIndex={0} aria-label={t(`conflict.${side}`)} dir="ltr">
              {side === 'mine' ? mine : theirs.content}
            </pre>
          </>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('conflict.goOn')}
          </Button>
          {theirs && (
            <Button variant="default" onClick={() => onTheirs(theirs)}>
              {t('conflict.take')}
            </Button>
          )}
          {theirs !== undefined && (
            <Button color="red" loading={isPending} onClick={() => onOverwrite(theirs?.etag)}>
              {t('conflict.overwrite')}
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  )
}
