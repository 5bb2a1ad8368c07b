import { aliasOf } from '../protocol';
import { definitionPin } from './definition-pin';
import type { RegistrationOptions, Tool, ToolDescriptor, ToolHooks } from './tool';

const placements = { native: 'in_app', callback: 'application' } as const;

/**
 * What a native tool and a callback are to the call boundary alike. Class and presentation are the host's word at
 * registration, `external` and `plain` unless given; nothing that a tool says of itself decides them (S0-67, S1-08).
 */
export function ownTool(
  kind: keyof typeof placements,
  descriptor: ToolDescriptor,
  hooks: ToolHooks,
  options: RegistrationOptions,
): Omit<Tool, 'run'> {
  const origin = { kind, version: descriptor.version };
  return {
    descriptor,
    model_alias: aliasOf(descriptor.qualified_name),
    origin: { kind },
    placement: placements[kind],
    classification: options.classification ?? 'external',
    presentation: options.presentation ?? 'plain',
    pin: definitionPin(descriptor, origin),
    origin_facts: origin,
    hooks,
  };
}
