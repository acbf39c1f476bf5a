import { feature } from '../feature.ts'
import { gitRoutes } from './git.routes.ts'
import { pushReceiverRoutes } from './push-receiver.routes.ts'

export const git = feature({ name: 'git', routes: [gitRoutes, pushReceiverRoutes] })
