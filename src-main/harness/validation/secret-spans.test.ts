import { describe, expect, it } from 'vitest';
import { findSecretSpans, secretDetectors } from './secret-spans';

/** Made up, and put together here so that no scanner takes this file for a leak. */
const letters = 'aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xYzA1bC3dE5f';
const fake = (prefix: string, length: number): string => prefix + letters.repeat(9).slice(0, length);
const upper = letters.toUpperCase();

export const samples: readonly (readonly [string, string])[] = [
  ['anthropic_key', fake('sk-' + 'ant-api03-', 80)],
  ['openai_key', fake('sk-' + 'proj-', 60)],
  ['openai_key', fake('sk-', 48)],
  ['github_token', fake('gh' + 'p_', 36)],
  ['github_token', fake('github' + '_pat_', 60)],
  ['gitlab_token', fake('gl' + 'pat-', 20)],
  ['slack_token', fake('xox' + 'b-', 40)],
  ['stripe_key', fake('sk' + '_live_', 24)],
  ['stripe_key', fake('wh' + 'sec_', 32)],
  ['npm_token', fake('np' + 'm_', 36)],
  ['aws_access_key', 'AK' + 'IA' + upper.slice(0, 16)],
  ['gcp_api_key', fake('AI' + 'za', 35)],
  ['google_token', fake('ya' + '29.', 60)],
  ['azure_client_secret', 'aB3' + '8Q~' + letters.slice(0, 34)],
  ['jwt', `${fake('ey' + 'J', 30)}.${fake('ey' + 'J', 60)}.${letters}`],
];

const kindsOf = (text: string): string[] => findSecretSpans(text).map((span) => span.kind);
const secretsOf = (text: string): string[] =>
  findSecretSpans(text).map(({ start, end }) => text.slice(start, end));

describe('secrets in text', () => {
  it.each(samples)('finds a %s, and nothing but it', (kind, secret) => {
    const text = `before ${secret} after`;
    expect(findSecretSpans(text)).toEqual([{ start: 7, end: 7 + secret.length, kind }]);
    expect(secretsOf(`x="${secret}",`)).toEqual([secret]);
    expect(secretsOf(`cut off\\n${secret}\\n`)).toEqual([secret]);
  });

  it('finds private key blocks with both lines, also one that is cut off', () => {
    const block = (type: string): string => `-----BEGIN ${type}-----\nMIIEow\nIBAAKC\n-----END ${type}-----`;
    for (const type of ['RSA PRIVATE KEY', 'OPENSSH PRIVATE KEY', 'PRIVATE KEY', 'PGP PRIVATE KEY BLOCK']) {
      expect(secretsOf(`a\n${block(type)}\nb`)).toEqual([block(type)]);
    }
    expect(secretsOf('-----BEGIN PRIVATE KEY-----\nMIIEow')).toEqual(['-----BEGIN PRIVATE KEY-----\nMIIEow']);
    expect(secretsOf('-----BEGIN CERTIFICATE-----\nMIIEow\n-----END CERTIFICATE-----')).toEqual([]);
  });

  it.each<[string, string, string]>([
    ['a bearer header', 'Authorization: Bearer abcdef0123456789abcd', 'abcdef0123456789abcd'],
    ['a basic header', 'authorization: Basic dXNlcjpwYXNzd29yZA==', 'dXNlcjpwYXNzd29yZA=='],
    ['a connection', 'postgres://app:S3cr3t-P@ss@db.internal:5432/x', 'S3cr3t-P@ss'],
    ['an address with a password', 'https://me:hunter22@example.org/a?b=c', 'hunter22'],
    ['a storage key', `DefaultEndpointsProtocol=https;AccountKey=${letters}==;x=1`, `${letters}==`],
    ['a signature', `https://x.blob.core.windows.net/c?sv=1&sig=${letters}%3D`, `${letters}%3D`],
    ['an environment file', 'DB_PASSWORD=x9$kLm2pQr\nNAME=me', 'x9$kLm2pQr'],
    ['a setting', 'api_key: "a1b2c3d4e5f6g7h8i9j0"', 'a1b2c3d4e5f6g7h8i9j0'],
    ['escaped JSON', '{\\"client_secret\\":\\"a1B2c3D4e5F6g7H8\\"}', 'a1B2c3D4e5F6g7H8'],
    ['a command', 'run --token=a1B2c3D4e5F6g7H8 --fast', 'a1B2c3D4e5F6g7H8'],
    ['camel case', "accessToken: 'a1B2c3D4e5F6g7H8'", 'a1B2c3D4e5F6g7H8'],
  ])('finds the secret of %s alone', (_what, text, secret) => {
    expect(secretsOf(text)).toEqual([secret]);
  });

  it.each([
    'The token is documented at https://example.org/tokens?page=12.',
    'const token = createTokenFromRequest(request);',
    'max_tokens: 4096, token_count=123456789012345',
    'password: <your-password>',
    'API_KEY=${API_KEY}',
    'API_KEY=your_api_key_here_12345',
    'token_type=Bearer0123456789ab',
    'secret_file=/run/secrets/token1234',
    'commit 3f2a9c1d8e7b6a5f4e3d2c1b0a9f8e7d6c5b4a39',
    'risk-assessment task-0123456789abcdef0123456789abcdef01',
    'id 550e8400-e29b-41d4-a716-446655440000',
    'bearer authentication-is-required',
    'http://localhost:8080/path@here and a:b@c',
    'xghp_0123456789012345678901234567890123456',
  ])('leaves alone what only speaks of secrets: %s', (text) => {
    expect(secretsOf(text)).toEqual([]);
  });

  it('leaves nothing of a value in which a known secret is only a part', () => {
    const [, token = ''] = samples[3] ?? [];
    const text = `token=prefix1234.${token}.rest5678 x`;
    expect(secretsOf(text)).toEqual([`prefix1234.${token}.rest5678`]);
    expect(kindsOf(`TOKEN=${token}`)).toEqual(['github_token']);
  });
});

describe('time', () => {
  it('hazard 65: finds any number of secrets', () => {
    const text = `${'token=abc12345defgh '.repeat(200_000)} sk-${letters.slice(0, 40)}`;
    expect(findSecretSpans(text)).toHaveLength(200_001);
  });

  const size = 256 * 1024;
  const fill = (piece: string): string => piece.repeat(Math.ceil(size / piece.length)).slice(0, size);
  /** Each begins many matches that fail late, for one detector or another. */
  const attacks = [
    'eyJ',
    'eyJaaaaaaaaaa.',
    'eyJaaaaaaaaaa.eyJaaaaaaaaaa.',
    `eyJ${'a'.repeat(100_000)}`,
    '-----BEGIN PRIVATE KEY-----',
    '-----BEGIN A B C D ',
    '://a:',
    `://${'a'.repeat(128)}:`,
    'token=',
    'token:token=',
    'secret_secret_',
    'passwordpassword',
    'bearer ',
    'bearer a',
    'authorization: basic ',
    'AKIA',
    'AKIAAAAAAAAAAAAAAAA',
    'sk-',
    'sk-ant-',
    'ghp_',
    'xoxb-',
    'AccountKey=',
    '?sig=',
    'aaa8Q~',
    'a',
    '\\n',
    'key key:',
    'password"  :  "',
  ];
  it.each(attacks)('hazard 65: 256 KB of %j take linear time', (piece) => {
    const text = `${secretDetectors.flatMap(({ hints }) => hints).join(' ')} ${fill(piece)}`;
    const began = performance.now();
    findSecretSpans(text);
    expect(performance.now() - began).toBeLessThan(400);
  });
});
