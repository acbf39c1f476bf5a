import { feature } from '../feature.ts'
import { webmailRoutes } from './webmail.routes.ts'

export const webmail = feature({ name: 'webmail', routes: [webmailRoutes] })
