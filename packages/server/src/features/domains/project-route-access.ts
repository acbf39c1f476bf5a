// What other features may ask of the rows.
export { listProjectRoutes, listRouteFacts } from './routes.repository.ts'
export { listHostnames, releaseHostnames, reserveHostname } from './host-names.repository.ts'
