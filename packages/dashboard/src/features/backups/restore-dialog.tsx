import { Button, Modal, NativeSelect, Stack } from '@mantine/core'
import { IconFile, IconFolder } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Schema } from '../../api/client.ts'
import { useI18n, useMessages } from '../../i18n/i18n.tsx'
import card from '../../ui/card.module.css'
import { Foreign } from '../../ui/foreign.tsx'
import { ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { uiMessages } from '../../ui/ui.messages.ts'
import { useAction } from '../../ui/use-action.ts'
import { backupMessages } from './backups.messages.ts'
import { startRestore } from './backup-actions.ts'
import { backupFilesQuery } from './backup-files.queries.ts'
import type { Backup } from './backups.queries.ts'

interface RestoreDialogProps {
  projectId: string
  backup: Backup
  onClose(): void
}

export function RestoreDialog({ projectId, backup, onClose }: RestoreDialogProps) {
  const t = useMessages(backupMessages)
  const ui = useMessages(uiMessages)
  const { dateTime } = useI18n()
  const [isBrowsing, setBrowsing] = useState(false)
  const { id, databases, excluded, volumes } = backup
  const restore = useAction({
    run: (body: Schema<'StartRestore'>) => startRestore(projectId, id, body),
    invalidates: [['projects', projectId, 'restores']],
    done: () => t('restore.started'),
    onDone: onClose
  })
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('restore.title', { time: dateTime(backup.createdAt) })}
      closeButtonProps={{ 'aria-label': ui('close') }}
    >
      <Stack gap="md">
        <p>{t('restore.files.hint')}</p>
        {excluded.length > 0 && (
          <p>
            {t('restore.excluded')} <Foreign>{excluded.join(', ')}</Foreign>
          </p>
        )}
        <Button loading={restore.isPending} onClick={() => restore.start({ kind: 'FILES', path: '' })}>
          {t('restore.files')}
        </Button>
        {volumes.map((volume) => (
          <Button
            key={volume}
            variant="default"
            loading={restore.isPending}
            onClick={() => restore.start({ kind: 'FILES', path: '', volume })}
          >
            {t('restore.volume', { name: volume })}
          </Button>
        ))}
        {databases.length > 0 && <p>{t('restore.database.hint')}</p>}
        {databases.map(({ id: databaseId, name }) => (
          <Button
            key={databaseId}
            variant="default"
            loading={restore.isPending}
            onClick={() => restore.start({ kind: 'DATABASE', databaseId })}
          >
            {t('restore.database', { name })}
          </Button>
        ))}
        {isBrowsing ? (
          <Browser
            projectId={projectId}
            backupId={id}
            volumes={volumes}
            onRestore={(path, volume) =>
              restore.start({ kind: 'FILES', path, ...(volume !== undefined && { volume }) })
            }
          />
        ) : (
          <Button variant="subtle" onClick={() => setBrowsing(true)}>
            {t('browse')}
          </Button>
        )}
      </Stack>
    </Modal>
  )
}

interface BrowserProps {
  projectId: string
  backupId: string
  volumes: readonly string[]
  onRestore(path: string, volume: string | undefined): void
}

function Browser({ projectId, backupId, volumes, onRestore }: BrowserProps) {
  const t = useMessages(backupMessages)
  const { bytes } = useI18n()
  const [path, setPath] = useState('')
  const [volume, setVolume] = useState<string>()
  const { data, error, refetch } = useQuery(backupFilesQuery(projectId, backupId, path, volume))
  const parent = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : ''
  const within = (name: string) => (path === '' ? name : `${path}/${name}`)
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  return (
    <>
      <p>{t('restore.path.hint')}</p>
      {volumes.length > 0 && (
        <NativeSelect
          label={t('restore.from')}
          data={[{ value: '', label: t('restore.from.project') }, ...volumes]}
          value={volume ?? ''}
          onChange={({ currentTarget }) => {
            setVolume(currentTarget.value || undefined)
            setPath('')
          }}
        />
      )}
      {path !== '' && (
        <Button variant="subtle" size="xs" onClick={() => setPath(parent)}>
          {t('up')}
        </Button>
      )}
      {!data && <RowsSkeleton rows={4} height={41} />}
      {data && (
        <table className={card.table} aria-label={t('browse')}>
          <tbody>
            {data.entries.map(({ name, type, size }) => (
              <tr key={name}>
                <td>
                  {type === 'DIRECTORY' ? (
                    <Button
                      variant="subtle"
                      size="xs"
                      leftSection={<IconFolder size={16} aria-hidden />}
                      onClick={() => setPath(within(name))}
                    >
                      <Foreign>{name}</Foreign>
                    </Button>
                  ) : (
                    <>
                      <IconFile size={16} aria-hidden /> <Foreign>{name}</Foreign>
                    </>
                  )}
                </td>
                <td className={`${card.end} ${card.sub}`}>{type === 'FILE' ? bytes(size) : ''}</td>
                <td className={card.end}>
                  <Button variant="default" size="xs" onClick={() => onRestore(within(name), volume)}>
                    {t('restore')}
                  </Button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {data?.isTruncated === true && <p>{t('truncated')}</p>}
    </>
  )
}
