import { api, data } from '../../api/client.ts'
import type { UptimeCheck } from './uptime-checks.queries.ts'

const at = ({ projectId, id }: UptimeCheck) => ({ path: { id: projectId, checkId: id } })

export const pauseCheck = (check: UptimeCheck, paused: boolean) =>
  data(
    api.PATCH('/api/projects/{id}/uptime-checks/{checkId}', {
      params: at(check),
      body: { paused }
    })
  )

export const runCheck = (check: UptimeCheck) =>
  data(api.POST('/api/projects/{id}/uptime-checks/{checkId}/run', { params: at(check) }))

export const deleteCheck = (check: UptimeCheck) =>
  data(api.DELETE('/api/projects/{id}/uptime-checks/{checkId}', { params: at(check) }))
