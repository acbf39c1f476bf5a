import { totalmem } from 'node:os'
import { z } from 'zod'
import { bytes, port, whole } from './values.ts'

// Both engines at their limit leave a fifth of the memory. An engine does not start with less than 512m.
const defaultMemoryBytes = Math.max(512 * 2 ** 20, Math.floor(totalmem() * 0.4))

/** Database servers for accounts. */
export const databaseVariables = {
  POSTGRES_ADMIN_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  MYSQL_ADMIN_URL: z.url({ protocol: /^(mysql|mariadb)$/ }).optional(),
  POSTGRES_PORT: port.default(5432),
  MYSQL_PORT: port.default(3306),
  DATABASE_MEMORY_LIMIT: z.string().pipe(bytes).default(defaultMemoryBytes),
  ACCOUNT_DATABASE_CONNECTIONS: whole(1, 290).default(96),
  POSTGRES_HOST: z.string().optional(),
  MYSQL_HOST: z.string().optional()
}
