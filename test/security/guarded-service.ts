import { startAttackedService, type AttackedService } from './attacked-service.js'
import { LOOPBACK_HOSTS, NAMESPACE_HOSTS } from './guard-attempts.js'
import type { Route } from '../local-site.js'
import { isIsolated, startVictims, type Victims } from './victims.js'

/** An attacked service with victims that nothing may reach, and one that everything may: what arrives there proves an attack alive. */
export interface GuardedService extends AttackedService {
  victims: Victims
  /** At 127.0.0.1, with `--allow-target`. */
  control: Victims
}

/** Hosts that lead to a victim on this machine. */
export const privateHosts = async (): Promise<string[]> =>
  (await isIsolated()) ? [...LOOPBACK_HOSTS, ...NAMESPACE_HOSTS] : LOOPBACK_HOSTS

/** Starts a service whose attacker has the given routes. */
export async function startGuardedService(routes: Record<string, Route> = {}): Promise<GuardedService> {
  const victims = await startVictims()
  const control = await startVictims(['127.0.0.1'])
  const service = await startAttackedService(routes, [`--allow-target=127.0.0.1:${control.port}`])
  return {
    ...service,
    victims,
    control,
    async stop() {
      await service.stop()
      await Promise.all([victims.close(), control.close()])
    },
  }
}
