import { feature } from '../feature.ts'
import { deliveryLogRoutes } from './delivery-log.routes.ts'

export const deliveryLog = feature({ name: 'delivery-log', routes: [deliveryLogRoutes] })
