import type { ProcessInstance, ProcessState, ProjectProcess } from '@panel/contract/processes'
import type { Config } from '../../config.ts'
import type { ImageSpec } from '../../db/schema/deployments.ts'
import type { ProjectRow } from '../projects/project-access.ts'
import { limitsOf } from './process-limits.policy.ts'
import { commandOf } from './process-plan.policy.ts'
import type { ProcessRow } from './processes.repository.ts'

type Procfile = NonNullable<ImageSpec['processes']>
type Limits = Pick<Config, 'DEPLOY_MEMORY_LIMIT' | 'DEPLOY_CPU_LIMIT'>

const lineOf = (procfile: Procfile, name: string): string | null =>
  Object.hasOwn(procfile, name) ? (procfile[name] ?? null) : null

const sizeOf = (config: Limits, size: Pick<ProcessRow, 'memoryMb' | 'cpus'>) => {
  const { memoryBytes, cpus } = limitsOf(config, size)
  return { memoryMb: Math.floor(memoryBytes / 2 ** 20), cpus }
}

const none = { crashingSince: null, lastLines: null, outOfMemoryAt: null, running: [] }

const webStates: Readonly<Record<string, ProcessState>> = {
  running: 'RUNNING',
  restarting: 'CRASH_LOOPING',
  created: 'STARTING'
}

const webStateOf = ({ status, asleepSince, containerStatus }: ProjectRow): ProcessState => {
  if (status === 'STOPPED') return 'STOPPED'
  return asleepSince === null ? (webStates[containerStatus ?? ''] ?? 'STOPPED') : 'SLEEPING'
}

/** web, and release if the project has one. They have no rows. */
export function siteProcesses(config: Limits, project: ProjectRow, procfile: Procfile): ProjectProcess[] {
  const setting = (text: string | null) => text?.trim() || null
  const of = (name: 'web' | 'release', own: string | null) => {
    const procfileCommand = lineOf(procfile, name)
    const source = own !== null ? 'SETTING' : procfileCommand !== null ? 'PROCFILE' : 'BUILD'
    return { ...none, name, command: own ?? procfileCommand, source, procfileCommand } as const
  }
  const { memoryMb, cpus } = project.size ?? sizeOf(config, { memoryMb: null, cpus: null })
  const size = { memoryMb, cpus }
  const state = webStateOf(project)
  const web = of('web', setting(project.startCmd))
  const release = of('release', setting(project.releaseCmd))
  return [
    {
      ...web,
      type: 'WEB',
      instances: project.instances,
      ...size,
      state,
      outOfMemoryAt: project.outOfMemoryAt?.toISOString() ?? null
    },
    ...(release.command === null
      ? []
      : [{ ...release, type: 'RELEASE' as const, instances: null, ...size, state: null }])
  ]
}

/** `running` is undefined if the engine is not responding. */
export function workerView(
  config: Limits,
  row: ProcessRow,
  { procfile, running, isLive }: { procfile: Procfile; running: ProcessInstance[] | undefined; isLive: boolean }
): ProjectProcess {
  const wanted = isLive ? row.instances : 0
  return {
    name: row.name,
    type: 'WORKER',
    command: commandOf({ ...row, procfile }) ?? null,
    source: row.command === null ? 'PROCFILE' : 'SETTING',
    procfileCommand: lineOf(procfile, row.name),
    instances: row.instances,
    ...sizeOf(config, row),
    state: stateOf(row, wanted, running),
    crashingSince: row.crashingSince?.toISOString() ?? null,
    lastLines: row.lastLines,
    outOfMemoryAt: row.outOfMemoryAt?.toISOString() ?? null,
    running: running ?? []
  }
}

function stateOf(row: ProcessRow, wanted: number, running: ProcessInstance[] | undefined): ProcessState {
  if (running === undefined) return 'UNKNOWN'
  if (wanted === 0) return 'STOPPED'
  if (row.crashingSince !== null) return 'CRASH_LOOPING'
  return running.filter(({ status }) => status === 'running').length < wanted ? 'STARTING' : 'RUNNING'
}
