import { createHash } from 'node:crypto';
import type { Wire } from './provider-config';

export interface WireNames {
  toWire(alias: string): string;
  /** A name that was never given out comes back as it is: the call boundary says that it is unknown. */
  fromWire(name: string): string;
}

/** The longest tool name that each provider documents (C4). */
const longest = 64;

function fits(alias: string, wire: Wire): boolean {
  if (alias.length > longest || !/^[A-Za-z0-9_-]+$/.test(alias)) return false;
  return wire !== 'google' || /^[A-Za-z_]/.test(alias);
}

function shorten(alias: string, hashLength: number): string {
  const suffix = `_${createHash('sha256').update(alias).digest('hex').slice(0, hashLength)}`;
  const clean = alias.replace(/[^A-Za-z0-9_-]/g, '_').replace(/^[^A-Za-z_]/, '_');
  return clean.slice(0, longest - suffix.length) + suffix;
}

/** Names that grow with a conversation: what was given out once never changes. */
export interface NameBook extends WireNames {
  /** Gives each alias its name, those first that need no other. */
  add(aliases: Iterable<string>): void;
}

/**
 * Names for one wire (C4). An alias that the provider takes is left alone; any other is shortened with a hash of the
 * whole alias. The hash grows where the short name is taken, so the mapping is one to one.
 */
export function createNameBook(wire: Wire): NameBook {
  const toWire = new Map<string, string>();
  const fromWire = new Map<string, string>();
  const claim = (alias: string, name: string) => {
    toWire.set(alias, name);
    fromWire.set(name, alias);
  };
  const makeShort = (alias: string) => {
    let hashLength = 8;
    while (hashLength < 56 && fromWire.has(shorten(alias, hashLength))) hashLength += 8;
    claim(alias, shorten(alias, hashLength));
  };
  return {
    add(aliases) {
      const rest: string[] = [];
      for (const alias of aliases) {
        if (toWire.has(alias)) continue;
        if (fits(alias, wire) && !fromWire.has(alias)) claim(alias, alias);
        else rest.push(alias);
      }
      for (const alias of rest) if (!toWire.has(alias)) makeShort(alias);
    },
    toWire: (alias) => toWire.get(alias) ?? alias,
    fromWire: (name) => fromWire.get(name) ?? name,
  };
}

/** Names for one request. */
export function createWireNames(aliases: Iterable<string>, wire: Wire): WireNames {
  const book = createNameBook(wire);
  book.add(aliases);
  return book;
}
