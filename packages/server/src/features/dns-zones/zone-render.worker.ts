// Validating and rendering 10,000 records takes about a second.
import { serveRequests } from '../../infra/worker-thread/serve-requests.mjs'
import { renderRecords } from './zone.render.ts'
import type { RenderedZone, ZoneText } from './zone-rendering.service.ts'

serveRequests((zone: ZoneText): { answer: RenderedZone } => ({ answer: renderRecords(zone) }))
