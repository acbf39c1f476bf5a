export const tombstone = (id: string) => ({
  name: 'Deleted account',
  email: `${id}@deleted.invalid`,
  passwordHash: '',
  role: 'USER' as const,
  permissions: [],
  nearQuotas: [],
  oversellingEnabled: false,
  totpEnabled: false,
  totpSecret: null,
  totpLastStep: null,
  locale: null,
  timezone: null,
  theme: null,
  projectCount: 0
})
