import { startAttackedService, type AttackedService } from './attacked-service.js'
import type { Route } from '../local-site.js'
import { isIsolated, startVictims, type Victims } from './victims.js'

/** An attacked service with victims that nothing may reach, and one that everything may: what arrives there proves an attack alive. */
export interface GuardedService extends AttackedService {
  victims: Victims
  /** At 127.0.0.1, with `--allow-target`. */
  control: Victims
}

/** Hosts that lead to a victim; those at the end exist in the network namespace alone. */
export async function privateHosts(): Promise<string[]> {
  const hosts = ['127.0.0.1', 'localhost', '[::1]', '2130706433', '0.0.0.0', '[::ffff:7f00:1]']
  return (await isIsolated()) ? [...hosts, '10.1.2.3', '169.254.169.254', '[fd00::1]'] : hosts
}

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
