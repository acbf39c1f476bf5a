export { isCertified, listProjectRoutes, listRouteFacts, settingsPath } from './routes.repository.ts'
export { listWholeNames } from './tcp-routes.repository.ts'
export { listHostnames, releaseHostnames, reserveHostname } from './host-names.repository.ts'
