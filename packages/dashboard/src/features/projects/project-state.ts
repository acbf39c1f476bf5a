import type { Schema } from '../../api/client.ts'
import type { MessageKey } from '../../i18n/messages.ts'
import type { Tone } from '../../ui/tone.ts'
import type english from './projects.en.json'

/** Filter values in the URL. */
export const projectGroups = ['all', 'running', 'deploying', 'attention', 'idle', 'sleeping'] as const
export type ProjectGroup = (typeof projectGroups)[number]

interface ProjectWord {
  word: MessageKey<typeof english>
  tone: Tone
  isBusy?: boolean
}

type Facts = Pick<
  Schema<'Project'>,
  'status' | 'containerStatus' | 'stopReason' | 'asleepSince' | 'deployedAt' | 'latestDeployment'
>

const latestIs = (status: Schema<'DeploymentStatus'>) => (project: Facts) => project.latestDeployment?.status === status
const sleeps = ({ status, asleepSince }: Facts) => status === 'ACTIVE' && asleepSince !== null
const runs = ({ containerStatus }: Facts) => containerStatus === 'running'

/** The first match wins. */
const rows: readonly { holds(project: Facts): boolean; is: ProjectWord }[] = [
  { holds: latestIs('QUEUED'), is: { word: 'state.queued', tone: 'info', isBusy: true } },
  { holds: latestIs('BUILDING'), is: { word: 'state.building', tone: 'info', isBusy: true } },
  { holds: latestIs('DEPLOYING'), is: { word: 'state.starting', tone: 'info', isBusy: true } },
  { holds: ({ stopReason }) => stopReason != null, is: { word: 'state.full', tone: 'bad' } },
  { holds: sleeps, is: { word: 'state.sleeping', tone: 'idle' } },
  { holds: (project) => latestIs('FAILED')(project) && runs(project), is: { word: 'state.lastFailed', tone: 'warn' } },
  { holds: latestIs('FAILED'), is: { word: 'state.failed', tone: 'bad' } },
  { holds: runs, is: { word: 'state.running', tone: 'ok' } },
  { holds: ({ containerStatus }) => containerStatus === 'restarting', is: { word: 'state.restarting', tone: 'warn' } },
  { holds: ({ status }) => status === 'STOPPED', is: { word: 'state.stopped', tone: 'idle' } },
  { holds: ({ deployedAt }) => deployedAt !== null, is: { word: 'state.gone', tone: 'bad' } },
  { holds: () => true, is: { word: 'state.new', tone: 'idle' } }
]

export const projectState = (project: Facts): ProjectWord => rows.find(({ holds }) => holds(project))!.is

/** Id of the latest deployment if it is in progress or failed. */
export const deploymentOfState = ({ latestDeployment: latest }: Facts): string | undefined =>
  latest && ['QUEUED', 'BUILDING', 'DEPLOYING', 'FAILED'].includes(latest.status) ? latest.id : undefined
