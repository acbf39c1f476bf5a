import { feature } from '../feature.ts'
import { dnsRecordRoutes } from './dns-records.routes.ts'

export const dnsRecords = feature({ name: 'dns-records', routes: [dnsRecordRoutes] })
