import { queryOptions } from '@tanstack/react-query'
import type { Command } from '@panel/contract/runs'
import { api, data, type Schema } from '../../api/client.ts'

export type ScheduledJob = Schema<'ScheduledJob'>
export type Run = Schema<'Run'>

export const jobsPerPage = 20
export const runsPerPage = 20
const outputEveryMs = 2_000

export const scheduledJobsKey = (id: string) => ['projects', id, 'scheduled-jobs']
export const runsKey = (id: string) => ['projects', id, 'runs']
export const isOpen = ({ status }: Pick<Run, 'status'>) => status === 'QUEUED' || status === 'RUNNING'

const keep = <Data>(previous: Data | undefined) => previous

export const scheduledJobsQuery = (id: string, page = 1) =>
  queryOptions({
    queryKey: [...scheduledJobsKey(id), page],
    queryFn: () =>
      data(
        api.GET('/api/projects/{id}/scheduled-jobs', { params: { path: { id }, query: { page, limit: jobsPerPage } } })
      ),
    placeholderData: keep
  })

export const runsQuery = (id: string, page = 1) =>
  queryOptions({
    queryKey: [...runsKey(id), 'list', page],
    queryFn: () =>
      data(api.GET('/api/projects/{id}/runs', { params: { path: { id }, query: { page, limit: runsPerPage } } })),
    placeholderData: keep
  })

export const runQuery = (id: string, runId: string) =>
  queryOptions({
    queryKey: [...runsKey(id), runId],
    queryFn: () => data(api.GET('/api/projects/{id}/runs/{runId}', { params: { path: { id, runId } } }))
  })

/** The whole kept output. Asks only for what follows the last answer. */
export const outputQuery = (id: string, runId: string) =>
  queryOptions({
    queryKey: ['run-output', runId],
    queryFn: async ({ client, queryKey }) => {
      const before = client.getQueryData<{ text: string; next: number }>(queryKey)
      let { text, next } = before ?? { text: '', next: 0 }
      for (;;) {
        const page = await data(
          api.GET('/api/projects/{id}/runs/{runId}/output', { params: { path: { id, runId }, query: { after: next } } })
        )
        const isLast = page.isComplete || page.next === next
        text += page.text
        next = page.next
        if (isLast) return { text, next, isComplete: page.isComplete, isTruncated: page.isTruncated }
      }
    },
    refetchInterval: ({ state }) => (state.data?.isComplete ? false : outputEveryMs)
  })

const at = ({ projectId, id }: ScheduledJob) => ({ path: { id: projectId, jobId: id } })

export const changeJob = (job: ScheduledJob, body: Schema<'UpdateScheduledJob'>) =>
  data(api.PATCH('/api/projects/{id}/scheduled-jobs/{jobId}', { params: at(job), body }))

export const deleteJob = (job: ScheduledJob) =>
  data(api.DELETE('/api/projects/{id}/scheduled-jobs/{jobId}', { params: at(job) }))

export const runJob = (job: ScheduledJob) =>
  data(api.POST('/api/projects/{id}/scheduled-jobs/{jobId}/run', { params: at(job) }))

export const startCommand = (id: string, command: Command, timeoutSeconds: number) =>
  data(api.POST('/api/projects/{id}/runs', { params: { path: { id } }, body: { command, timeoutSeconds } }))

export const stopRun = ({ projectId, id }: Run) =>
  data(api.POST('/api/projects/{id}/runs/{runId}/stop', { params: { path: { id: projectId, runId: id } } }))
