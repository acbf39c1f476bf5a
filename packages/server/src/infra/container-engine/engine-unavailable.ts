import { AdapterError } from '../adapter-error.ts'

export const unavailable = (message: string, cause?: unknown): AdapterError =>
  new AdapterError('container-engine-unavailable', message, { cause })
