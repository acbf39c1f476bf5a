import { z } from 'zod'
import { pageQuery, Pagination, ShellLine, Timestamp } from './common.ts'
import { words } from './details.ts'

const namePattern = /^[A-Za-z0-9][A-Za-z0-9_-]{0,29}$/

export const isProcessName = (name: string): boolean => namePattern.test(name)

export const ProcessName = z
  .string()
  .regex(namePattern, words.PROCESS_NAME)
  .meta({ description: 'As in the Procfile.', examples: ['worker'] })

/** `web` answers requests, `release` runs once for each new release; every other name is a worker. */
const otherProcesses = ['web', 'release']
export const isWorkerName = (name: string): boolean => isProcessName(name) && !otherProcesses.includes(name)

export const WorkerName = ProcessName.refine((name) => !otherProcesses.includes(name), words.WORKER_NAME).meta({
  examples: ['worker']
})

export const processTypes = ['WEB', 'RELEASE', 'WORKER'] as const
export const ProcessType = z.enum(processTypes).meta({
  description:
    'WEB answers requests. RELEASE runs once for each new release, before it goes live. WORKER runs in containers of its own, without a route.'
})
export type ProcessType = z.infer<typeof ProcessType>

export const processSources = ['SETTING', 'PROCFILE', 'BUILD'] as const
export const ProcessSource = z.enum(processSources).meta({
  description:
    'Where the command comes from. SETTING: of the project or the process. PROCFILE: of the live release. BUILD: the start command that the build detected.'
})
export type ProcessSource = z.infer<typeof ProcessSource>

export const processStates = ['RUNNING', 'STARTING', 'CRASH_LOOPING', 'STOPPED', 'SLEEPING', 'UNKNOWN'] as const
export const ProcessState = z.enum(processStates).meta({
  description:
    'CRASH_LOOPING: it exits repeatedly and is restarted with a growing delay of up to a minute. STOPPED: it has no instances, or its project is stopped or not deployed. ' +
    'SLEEPING: web starts with the next request. ' +
    'UNKNOWN: the container engine is not responding.'
})
export type ProcessState = z.infer<typeof ProcessState>

export const ProcessInstance = z
  .object({
    instance: z.int().meta({ description: 'From 1.' }),
    containerId: z.string(),
    status: z.string().meta({
      description: 'As reported by the engine: `running`, `restarting`, `exited`, …',
      examples: ['running']
    }),
    restartCount: z.int().meta({ description: 'Restarts after an exit.' }),
    exitCode: z.int().nullable().meta({ description: 'Of the last exit; null if it has not exited.' }),
    startedAt: Timestamp.nullable(),
    cpuPercent: z.number().nullable().meta({
      description: 'Percent of one core since the previous request of this list. Null without one.'
    }),
    ramUsed: z.number().nullable().meta({ description: 'Bytes, without page cache that can be reclaimed.' })
  })
  .meta({ id: 'ProcessInstance' })
export type ProcessInstance = z.infer<typeof ProcessInstance>

export const maxInstances = 100
const sizes = {
  instances: z.int().min(0).max(maxInstances),
  memoryMb: z.int().min(16).max(1_048_576).nullable().meta({
    description:
      'Memory of each instance in MiB, at most DEPLOY_MEMORY_LIMIT. Null: DEPLOY_MEMORY_LIMIT. Within the quota maxMemoryMb of the account.'
  }),
  cpus: z.number().min(0.05).max(1024).nullable().meta({
    description:
      'Cores for each instance, at most DEPLOY_CPU_LIMIT. Null: DEPLOY_CPU_LIMIT. Within the quota maxCpus of the account.'
  })
}
const command = ShellLine.min(1).meta({ examples: ['node worker.js'] })

export const ProjectProcess = z
  .object({
    name: z.string(),
    type: ProcessType,
    command: z.string().nullable().meta({ description: 'Null: the command of the image.' }),
    source: ProcessSource,
    procfileCommand: z
      .string()
      .nullable()
      .meta({ description: 'Of the live release; null if its Procfile has no such line.' }),
    instances: z.int().nullable().meta({ description: 'Requested instances; null for RELEASE.' }),
    memoryMb: z.int().meta({ description: 'Memory limit of each instance in MiB.' }),
    cpus: z.number().meta({ description: 'CPU limit of each instance in cores.' }),
    state: ProcessState.nullable().meta({ description: 'Null for RELEASE.' }),
    crashingSince: Timestamp.nullable(),
    lastLines: z.string().nullable().meta({
      description: 'The last lines before it was found crash-looping; secrets of the project are masked.'
    }),
    outOfMemoryAt: Timestamp.nullable().meta({
      description:
        'When it last ran out of memory; null if not since the last release, restart or other change but scaling.'
    }),
    running: z.array(ProcessInstance).meta({ description: 'The containers of a worker.' })
  })
  .meta({ id: 'ProjectProcess' })
export type ProjectProcess = z.infer<typeof ProjectProcess>

export const ProcessQuery = z.object(pageQuery(20, 100))
export type ProcessQuery = z.infer<typeof ProcessQuery>
export const ProcessList = z
  .object({ processes: z.array(ProjectProcess), pagination: Pagination })
  .meta({ id: 'ProcessList' })
export type ProcessList = z.infer<typeof ProcessList>

export const CreateProcess = z.object({
  name: WorkerName,
  command,
  instances: sizes.instances.default(1),
  memoryMb: sizes.memoryMb.default(null),
  cpus: sizes.cpus.default(null)
})
export type CreateProcess = z.infer<typeof CreateProcess>

export const UpdateProcess = z
  .object({
    ...sizes,
    command: command
      .nullable()
      .meta({ description: 'Runs instead of the command in the Procfile. Null: that of the Procfile.' })
  })
  .partial()
export type UpdateProcess = z.infer<typeof UpdateProcess>
