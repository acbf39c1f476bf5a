import { feature } from '../feature.ts'
import { deliveryFigures } from './delivery-log.figures.ts'
import { deliveryLogRoutes } from './delivery-log.routes.ts'

export const deliveryLog = feature({ name: 'delivery-log', routes: [deliveryLogRoutes], figures: [deliveryFigures] })
