// Large zones: to check and to write ten thousand records takes a second.
import { serveRequests } from '../../infra/worker-thread/serve-requests.mjs'
import { renderRecords } from './zone.render.ts'
import type { RenderedZone, ZoneText } from './zone-rendering.service.ts'

serveRequests((zone: ZoneText): { answer: RenderedZone } => ({ answer: renderRecords(zone) }))
