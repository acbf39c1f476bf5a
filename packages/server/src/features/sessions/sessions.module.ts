import { feature } from '../feature.ts'
import { sessionRoutes } from './sessions.routes.ts'

export const sessions = feature({
  name: 'sessions',
  routes: [sessionRoutes],
  health: [
    {
      name: 'sessionStore',
      ping: (deps) => deps.sessions.ping(),
      remedy: 'Check REDIS_URL and that the server runs; sign-ins go on from the database meanwhile'
    }
  ]
})
