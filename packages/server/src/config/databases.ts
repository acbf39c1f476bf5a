import { z } from 'zod'
import { port, whole } from './values.ts'

/** The engines of people's databases. */
export const databaseVariables = {
  POSTGRES_ADMIN_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  MYSQL_ADMIN_URL: z.url({ protocol: /^(mysql|mariadb)$/ }).optional(),
  POSTGRES_PORT: port.default(5432),
  MYSQL_PORT: port.default(3306),
  ACCOUNT_DATABASE_CONNECTIONS: whole(1, 290).default(96),
  POSTGRES_HOST: z.string().optional(),
  MYSQL_HOST: z.string().optional()
}
