import type { MetricSample, MetricSource } from '../metric-source.ts'
import { latestProjects, latestSnapshots } from './monitoring.repository.ts'

// Snapshots are taken every minute; older ones are outdated.
const freshMs = 150_000
const gauge = (name: string, help: string, labels: readonly string[]) => ({ name, help, labels })
const server = ['node'] as const
const project = ['project_id', 'project'] as const
const minuteSeconds = 60
const loadMinutes = ['1', '5', '15'] as const

/** Metrics per machine and per project: up to METRICS_SITES projects by memory, the rest summed up as `other`. */
export const monitoringMetrics: MetricSource = {
  families: [
    gauge('panel_server_cpu_ratio', 'CPU usage of all cores together, over the last minute', server),
    gauge('panel_server_memory_used_bytes', 'Used memory, without memory that the kernel can reclaim', server),
    gauge('panel_server_memory_total_bytes', 'Total memory', server),
    gauge('panel_server_disk_used_bytes', 'Used space of the file system of DATA_DIR', server),
    gauge('panel_server_disk_total_bytes', 'Size of the file system of DATA_DIR', server),
    gauge('panel_server_network_received_bytes_per_second', 'Over the interfaces of default routes', server),
    gauge('panel_server_network_sent_bytes_per_second', 'Over the interfaces of default routes', server),
    gauge('panel_server_load', 'Load average over the given number of minutes', ['node', 'minutes']),
    gauge('panel_server_uptime_seconds', 'Seconds since boot', server),
    gauge('panel_project_cpu_cores', 'CPU cores used by the container of a project, over the last minute', project),
    gauge('panel_project_memory_bytes', 'Memory of the container, without page cache that can be reclaimed', project),
    gauge('panel_project_disk_bytes', 'Bytes that the containers of a project wrote outside volumes', project),
    gauge('panel_project_network_received_bytes_per_second', 'By the container, in the last minute', project),
    gauge('panel_project_network_sent_bytes_per_second', 'By the container, in the last minute', project)
  ],
  cacheSeconds: 15,
  async read({ db, config, now }) {
    const after = new Date(now().getTime() - freshMs)
    const machines = await latestSnapshots(db, after)
    const projects = await latestProjects(db, after, config.METRICS_SITES)
    return [
      ...machines.flatMap(({ nodeId: node, ...of }) => [
        ...sample('panel_server_cpu_ratio', { node }, of.cpuPercent, 0.01),
        ...sample('panel_server_memory_used_bytes', { node }, of.ramUsed),
        ...sample('panel_server_memory_total_bytes', { node }, of.ramTotal),
        ...sample('panel_server_disk_used_bytes', { node }, of.diskUsed),
        ...sample('panel_server_disk_total_bytes', { node }, of.diskTotal),
        ...sample('panel_server_network_received_bytes_per_second', { node }, of.networkReceived),
        ...sample('panel_server_network_sent_bytes_per_second', { node }, of.networkSent),
        ...loadMinutes.flatMap((minutes, index) =>
          sample('panel_server_load', { node, minutes }, of.loadAverage?.[index] ?? null)
        ),
        ...sample('panel_server_uptime_seconds', { node }, of.uptimeSeconds)
      ]),
      ...projects.flatMap(({ id, name, ...of }) => {
        const labels = { project_id: id ?? 'other', project: name ?? 'other' }
        return [
          ...sample('panel_project_cpu_cores', labels, of.cpuPercent, 0.01),
          ...sample('panel_project_memory_bytes', labels, of.ramUsed),
          ...sample('panel_project_disk_bytes', labels, of.diskUsed),
          ...sample('panel_project_network_received_bytes_per_second', labels, of.networkReceived, 1 / minuteSeconds),
          ...sample('panel_project_network_sent_bytes_per_second', labels, of.networkSent, 1 / minuteSeconds)
        ]
      })
    ]
  }
}

/** Omits unknown values. */
const sample = (
  family: string,
  labels: Readonly<Record<string, string>>,
  value: number | null,
  factor = 1
): MetricSample[] => (value === null ? [] : [{ family, labels, value: value * factor }])
