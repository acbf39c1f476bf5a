import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describeDatabaseAdmin } from '../../../test/contracts/database-admin.contract.ts'
import { createMemoryDatabaseAdmin } from '../../../test/fakes/memory-database-admin.ts'

describeDatabaseAdmin('in memory', async () => {
  const program = createServer((_request, response) => void response.end('a page')).listen(0, '127.0.0.1')
  await once(program, 'listening')
  const { port } = program.address() as AddressInfo
  return {
    admin: createMemoryDatabaseAdmin({ host: '127.0.0.1', port, secret: 'the secret' }),
    async close() {
      program.closeAllConnections()
      program.close()
    }
  }
})
