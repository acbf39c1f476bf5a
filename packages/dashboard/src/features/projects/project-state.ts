import type { Schema } from '../../api/client.ts'
import type { MessageKey } from '../../i18n/messages.ts'
import type { Tone } from '../../ui/tone.ts'
import type english from './projects.en.json'

/** Which part of the list it is in. */
export const projectGroups = ['all', 'running', 'attention', 'idle'] as const
export type ProjectGroup = (typeof projectGroups)[number]

interface ProjectState {
  word: MessageKey<typeof english>
  tone: Tone
  isBusy?: boolean
  group: Exclude<ProjectGroup, 'all'>
}

type Facts = Pick<Schema<'Project'>, 'containerStatus' | 'stopReason' | 'deployedAt'>

/** Each row is asked from the first: what holds decides. */
const rows: readonly { holds(project: Facts): boolean; state: ProjectState }[] = [
  { holds: ({ stopReason }) => stopReason != null, state: { word: 'state.full', tone: 'bad', group: 'attention' } },
  {
    holds: ({ containerStatus }) => containerStatus === 'running',
    state: { word: 'state.running', tone: 'ok', group: 'running' }
  },
  {
    holds: ({ containerStatus }) => containerStatus === 'restarting',
    state: { word: 'state.restarting', tone: 'warn', group: 'attention' }
  },
  {
    holds: ({ containerStatus }) => containerStatus !== null,
    state: { word: 'state.stopped', tone: 'idle', group: 'idle' }
  },
  { holds: ({ deployedAt }) => deployedAt !== null, state: { word: 'state.gone', tone: 'bad', group: 'attention' } },
  { holds: () => true, state: { word: 'state.new', tone: 'idle', group: 'idle' } }
]

/** One word for a project, and whether somebody should look at it. */
export const projectState = (project: Facts): ProjectState => rows.find(({ holds }) => holds(project))!.state
