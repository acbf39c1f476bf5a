/** The first is the default and is left out of the URL. */
export const projectOrigins = ['git', 'wordpress', 'empty'] as const
export type ProjectOrigin = (typeof projectOrigins)[number]

export const builtTypes = ['NODEJS', 'PYTHON', 'STATIC', 'DOCKERFILE'] as const
