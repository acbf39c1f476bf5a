import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useMessages } from '../../i18n/i18n.tsx'
import { volumesQuery } from '../volumes/volumes.queries.ts'
import { fileMessages } from './files.messages.ts'

/** Which files are shown: those of the project, or of one of its volumes. Nothing without volumes. */
export function RootSelect({ projectId, volume }: { projectId: string; volume: string | undefined }) {
  const t = useMessages(fileMessages)
  const navigate = useNavigate({ from: '/projects/$projectId/files' })
  const { data: list } = useQuery(volumesQuery(projectId))
  if (!list || list.volumes.length === 0) return null
  const volumes = list.volumes.map(({ id, name }) => ({ value: id, label: t('roots.volume', { name }) }))
  return (
    <NativeSelect
      label={t('roots')}
      data={[{ value: '', label: t('roots.project') }, ...volumes]}
      value={volume ?? ''}
      onChange={({ currentTarget }) => void navigate({ search: { volume: currentTarget.value || undefined } })}
    />
  )
}
