// What other features may ask of the rows.
export { listDays, listIncidentsSince } from './history.repository.ts'
export { listChecks } from './uptime-checks.repository.ts'
