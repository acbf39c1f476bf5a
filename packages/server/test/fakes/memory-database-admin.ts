import type { DatabaseAdmin } from '../../src/infra/database-admin/database-admin.ts'
import { type HttpUpstream, requestUpstream, unavailable } from '../../src/infra/database-admin/http-upstream.ts'

/** For tests: a program that somebody else runs, or none. */
export function createMemoryDatabaseAdmin(upstream?: HttpUpstream): DatabaseAdmin {
  return {
    ensure: async () => {},
    request: async (request) => {
      if (!upstream) throw unavailable()
      return requestUpstream(upstream, request)
    },
    remove: async () => {}
  }
}
