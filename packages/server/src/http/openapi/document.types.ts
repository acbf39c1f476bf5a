export interface Document {
  info: object
  paths: Record<string, Record<string, Operation>>
  components: Components
  'x-live-events': Record<string, object>
}

export const operationsOf = ({ paths }: Pick<Document, 'paths'>): Operation[] =>
  Object.values(paths).flatMap((path) => Object.values(path))

export interface Components {
  schemas: Record<string, Schema>
  responses?: Record<string, Response>
  parameters?: Record<string, Parameter>
  examples?: Record<string, object>
  headers?: Record<string, object>
}

export interface Operation {
  operationId: string
  summary?: string
  description?: string
  tags?: string[]
  security?: Record<string, string[]>[]
  parameters?: (Parameter | Reference)[]
  requestBody?: { required?: boolean; content: Record<string, Media> }
  responses: Record<string, Response | Reference>
}

export interface Reference {
  $ref: string
}

export interface Parameter {
  in: string
  name: string
  description?: string
  required?: boolean
  schema: Schema
  example?: unknown
}

export interface Response {
  description: string
  headers?: Record<string, Reference>
  content?: Record<string, Media>
  links?: Record<string, object>
}

export interface Media {
  schema: Schema
  example?: unknown
  examples?: Record<string, Reference>
}

export interface Schema {
  $ref?: string
  type?: string | string[]
  format?: string
  pattern?: string
  description?: string
  enum?: unknown[]
  const?: unknown
  default?: unknown
  examples?: unknown[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  items?: Schema
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
}
