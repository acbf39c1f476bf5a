import { feature } from '../feature.ts'
import { explainRoutes } from './explain.routes.ts'

export const explain = feature({ name: 'explain', routes: [explainRoutes] })
