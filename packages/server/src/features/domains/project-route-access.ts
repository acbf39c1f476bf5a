export { isCertified, listProjectRoutes, listRouteFacts, settingsPath } from './routes.repository.ts'
export { listHostnames, releaseHostnames, reserveHostname } from './host-names.repository.ts'
