export { listDays, listIncidentsSince } from './history.repository.ts'
export { listChecks } from './uptime-checks.repository.ts'
