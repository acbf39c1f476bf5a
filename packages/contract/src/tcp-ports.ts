import { z } from 'zod'
import { Id, Timestamp } from './common.ts'

export const tcpPortKinds = ['PORT', 'TLS'] as const

const TcpPortKind = z.enum(tcpPortKinds).meta({
  id: 'TcpPortKind',
  description:
    'PORT: a port of the server, whatever the protocol. TLS: the server ends TLS on one port for all projects, and the name that the client ' +
    'asks for (SNI) chooses the project; it must be a verified domain of the project with a certificate.'
})

const ContainerPort = z
  .int()
  .min(1)
  .max(65_535)
  .meta({ description: 'Where the application listens in its container, on all addresses.', examples: [1883] })

export const TcpPort = z
  .object({
    id: Id,
    kind: TcpPortKind,
    containerPort: z.int().meta({ examples: [1883] }),
    publishedPort: z
      .int()
      .nullable()
      .meta({ description: 'On the server. Null: the server has no port for TLS now.', examples: [20_001] }),
    addresses: z.array(z.string().meta({ examples: ['panel.example.com:20001'] })).meta({
      description: 'What clients connect to, as `host:port`. For TLS, one for each name of the project.'
    }),
    isOpen: z.boolean().meta({
      description: 'Whether the server takes connections: not while the project is stopped or was never deployed.'
    }),
    createdAt: Timestamp
  })
  .meta({ id: 'TcpPort' })
export type TcpPort = z.infer<typeof TcpPort>

export const TcpPortList = z
  .object({
    ports: z.array(TcpPort),
    range: z
      .object({ first: z.int(), last: z.int() })
      .nullable()
      .meta({
        description: 'The ports that projects can publish. Null: none.',
        examples: [{ first: 20_000, last: 20_099 }]
      }),
    tlsPort: z
      .int()
      .nullable()
      .meta({ description: 'Where TLS names are served. Null: nowhere.', examples: [20_100] })
  })
  .meta({ id: 'TcpPortList' })
export type TcpPortList = z.infer<typeof TcpPortList>

export const CreateTcpPort = z.object({
  kind: TcpPortKind.default('PORT'),
  containerPort: ContainerPort,
  publishedPort: z
    .int()
    .min(1)
    .max(65_535)
    .nullable()
    .default(null)
    .meta({ description: 'A certain free port of the range. Null: any. Always null with TLS.', examples: [20_001] })
})
export type CreateTcpPort = z.infer<typeof CreateTcpPort>
