import { queryOptions } from '@tanstack/react-query'
import { api, data, hasStatus } from '../../api/client.ts'

/** Null if SFTP is not set up. */
export const sftpQuery = queryOptions({
  queryKey: ['sftp'],
  queryFn: () =>
    data(api.GET('/api/sftp')).catch((error: unknown) => {
      if (hasStatus(error, 404)) return null
      throw error
    })
})
