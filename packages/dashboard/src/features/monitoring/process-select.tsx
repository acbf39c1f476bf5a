import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useMessages } from '../../i18n/i18n.tsx'
import { processesQuery } from '../processes/processes.queries.ts'
import { monitoringMessages } from './monitoring.messages.ts'

const site = 'web'

/** The site and its workers. Nothing for a project without workers. */
export function ProcessSelect({ projectId, selected = site }: { projectId: string; selected?: string | undefined }) {
  const t = useMessages(monitoringMessages)
  const navigate = useNavigate({ from: '/projects/$projectId/monitoring' })
  const { data: list } = useQuery({ ...processesQuery(projectId), refetchInterval: false })
  const workers = list?.processes.filter(({ type }) => type === 'WORKER').map(({ name }) => name) ?? []
  if (workers.length === 0 && selected === site) return null
  const choose = (name: string) => {
    const process = name === site ? undefined : name
    void navigate({ search: ({ range }) => ({ range, process }), replace: true })
  }
  return (
    <NativeSelect
      size="xs"
      aria-label={t('process')}
      value={selected}
      data={[...new Set([site, ...workers, selected])]}
      onChange={({ currentTarget: { value } }) => choose(value)}
    />
  )
}
