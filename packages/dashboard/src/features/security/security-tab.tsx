import { ChangePasswordSection } from './change-password.tsx'
import { Sessions } from './sessions.tsx'
import { TwoFactor } from './two-factor.tsx'

/** Who gets into one's account, and how. */
export function SecurityTab() {
  return (
    <>
      <TwoFactor />
      <ChangePasswordSection />
      <Sessions />
    </>
  )
}
