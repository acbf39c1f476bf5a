import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useMessages } from '../../i18n/i18n.tsx'
import { processesQuery } from '../processes/processes.queries.ts'
import classes from './container-log-tab.module.css'
import { containerMessages } from './containers.messages.ts'
import type { LogSource } from './containers.queries.ts'

const site = 'web'
const valueOf = ({ process, instance = 1 }: LogSource) => (process === undefined ? site : `${process}.${instance}`)

/** Nothing for a project without workers. */
export function LogSourceSelect({ projectId, source }: { projectId: string; source: LogSource }) {
  const t = useMessages(containerMessages)
  const navigate = useNavigate({ from: '/projects/$projectId/logs' })
  const { data: list } = useQuery(processesQuery(projectId))
  const workers = list?.processes.filter(({ type }) => type === 'WORKER') ?? []
  const sources = workers.flatMap(({ name, instances }) =>
    Array.from({ length: instances ?? 0 }, (_, at): LogSource => ({ process: name, instance: at + 1 }))
  )
  if (workers.length === 0 && source.process === undefined) return null
  const values = [...new Set([site, ...sources.map(valueOf), valueOf(source)])]
  const choose = (value: string) => {
    const chosen = sources.find((each) => valueOf(each) === value)
    void navigate({
      search: ({ tail }) => ({ tail, process: chosen?.process, instance: chosen?.instance }),
      replace: true
    })
  }
  return (
    <NativeSelect
      className={classes.source!}
      size="xs"
      label={t('process')}
      value={valueOf(source)}
      data={values}
      onChange={({ currentTarget: { value } }) => choose(value)}
    />
  )
}
