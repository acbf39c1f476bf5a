import type { DatabaseAdmin } from '../../src/infra/database-admin/database-admin.ts'
import { type HttpUpstream, requestUpstream, unavailable } from '../../src/infra/database-admin/http-upstream.ts'

/** Stands in for Adminer; available from the start. */
export function createMemoryDatabaseAdmin(upstream?: HttpUpstream): DatabaseAdmin {
  let isRemoved = false
  return {
    async ensure() {
      isRemoved = false
    },
    async request(request) {
      if (!upstream || isRemoved) throw unavailable()
      return requestUpstream(upstream, request)
    },
    async remove() {
      isRemoved = true
    }
  }
}
