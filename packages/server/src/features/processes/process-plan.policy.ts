import { createHash } from 'node:crypto'
import { workerKey } from '../containers/container-spec.policy.ts'

/** A worker's settings and the live release that it runs. */
export interface WorkerFacts {
  projectId: string
  name: string
  command: string | null
  instances: number
  memoryMb: number | null
  cpus: number | null
  restarts: number
  deploymentId: string
  /** Ids of the project's volumes. */
  volumes: string
  /** Of the release's Procfile. */
  procfile: Readonly<Record<string, string>>
}

export interface WantedInstance {
  key: string
  process: string
  instance: number
  revision: string
}

/** The owner's command, else the Procfile's; undefined: the process does not exist in this release. */
export function commandOf({ command, procfile, name }: Pick<WorkerFacts, 'command' | 'procfile' | 'name'>) {
  return command ?? (Object.hasOwn(procfile, name) ? procfile[name] : undefined)
}

/** None if the release has no such process. */
export function wantedInstances(worker: WorkerFacts): WantedInstance[] {
  const command = commandOf(worker)
  if (command === undefined) return []
  const { projectId, name: process, deploymentId, restarts, memoryMb, cpus, volumes } = worker
  // Without volumes as before there were any, so that an upgrade replaces no worker.
  const mounted = volumes === '' ? [] : [volumes]
  const facts = JSON.stringify([deploymentId, restarts, command, memoryMb, cpus, ...mounted])
  const revision = createHash('sha256').update(facts).digest('hex').slice(0, 16)
  return Array.from({ length: worker.instances }, (_, at) => ({
    key: workerKey(projectId, process, at + 1),
    process,
    instance: at + 1,
    revision
  }))
}

export interface FoundInstance {
  id: string
  key: string
  process: string
  revision: string
  /** Docker's value. */
  status: string
}

export interface ProcessPlan {
  /** Outdated or surplus. They stop before anything of their process starts. */
  remove: FoundInstance[]
  start: FoundInstance[]
  create: WantedInstance[]
}

const isBroken = (status: string): boolean => status === 'dead' || status === 'removing'
const isUp = (status: string): boolean => status === 'running' || status === 'restarting' || status === 'paused'

export function planProcesses(wanted: readonly WantedInstance[], found: readonly FoundInstance[]): ProcessPlan {
  const revisions = new Map(wanted.map(({ key, revision }) => [key, revision]))
  const isCurrent = ({ key, revision, status }: FoundInstance) => revisions.get(key) === revision && !isBroken(status)
  const current = found.filter(isCurrent)
  const kept = new Set(current.map(({ key }) => key))
  return {
    remove: found.filter((instance) => !isCurrent(instance)),
    start: current.filter(({ status }) => !isUp(status)),
    create: wanted.filter(({ key }) => !kept.has(key))
  }
}

export const isSettled = ({ remove, start, create }: ProcessPlan): boolean =>
  remove.length + start.length + create.length === 0

const steadyMs = 30_000

interface InstanceState {
  status: string
  restartCount: number
  startedAt: string
}

/** One exit is not a crash loop: the engine restarts the container at once, and with a growing delay after that. */
export const isCrashLooping = ({ status, restartCount, startedAt }: InstanceState, now: Date): boolean =>
  restartCount > 1 && (status === 'restarting' || now.getTime() - Date.parse(startedAt) < steadyMs)

/** Whether a process that was crash-looping runs again. */
export const isSteady = ({ status, startedAt }: InstanceState, now: Date): boolean =>
  status === 'running' && now.getTime() - Date.parse(startedAt) >= steadyMs
