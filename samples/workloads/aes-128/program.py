"""AES-128 of images, and back: tables and keys come from the arithmetic of bytes as a field."""

import numpy as np

from warpmill.checks import equal

BLOCK = 256
ROUNDS = 10
ENCRYPT_MIXING = (2, 1, 1, 3)  # first column of the matrix: what row 0 gives to rows 0 to 3
DECRYPT_MIXING = (14, 9, 13, 11)


def make(*, width, height, header, decrypt, files, seed):
    """Make images with flat, smooth and noisy parts behind a header, and a key for each.

    The first has the size that is asked for, others are up to three times as high or as low.
    """
    if width < 1 or height < 1:
        raise ValueError(f"an image of {width} x {height} pixels: width and height are 1 or more")
    if header < 0:
        raise ValueError(f"a header of {header} bytes: it has 0 or more")
    if files < 1:
        raise ValueError(f"{files} files: there is 1 or more")
    if seed < 0:
        raise ValueError(f"a seed of {seed}: it is 0 or more")
    rng = np.random.default_rng(seed)
    plains, keys = [], []
    for number in range(files):
        rows = height if number == 0 else max(1, int(height * 3 ** rng.uniform(-1, 1)))
        plains.append(padded(rng, image(rng, width, rows), header))
        keys.append(rng.integers(0, 256, 16, np.uint8))
    return {"plains": plains, "keys": keys, "decrypt": decrypt}


def image(rng, width, height):
    """Make an image, as bytes row by row."""
    y, x = np.mgrid[:height, :width]
    pixels = 128 + 100 * np.sin(x / 23.0) * np.cos(y / 31.0)
    pixels += rng.normal(0.0, 12.0, pixels.shape) * (x > width // 2)
    pixels[: height // 4, : width // 2] = 255  # all blocks are the same here
    return pixels.clip(0, 255).astype(np.uint8).ravel()


def padded(rng, pixels, header):
    """Put a header before an image, and fill the last block."""
    data = np.concatenate([rng.integers(0, 256, header, np.uint8), pixels])
    missing = -len(data) % 16
    return np.pad(data, (0, missing), constant_values=missing)


def run(device, modules, inputs):
    """Encrypt the files in turn, and decrypt what came out; wait for each before the next."""
    module, ciphers, backs = modules["aes"], [], []
    set_constants(module)
    for plain, key in zip(inputs["plains"], inputs["keys"], strict=True):
        words, keys = plain.view(np.uint32), expanded_key(key)
        given = device.array(words, name="plain")
        cipher = device.zeros(len(words), np.uint32, name="cipher")
        grid = -(-len(words) // BLOCK)
        args = [given, cipher, len(words), fetched(device, keys)]
        device.launch(module["aes_encrypt"], grid, BLOCK, args)
        device.synchronize()
        ciphers.append(cipher.get().view(np.uint8))
        if inputs["decrypt"]:
            back = device.zeros(len(words), np.uint32, name="back")
            args = [cipher, back, len(words), fetched(device, inverse_keys(keys))]
            device.launch(module["aes_decrypt"], grid, BLOCK, args)
            device.synchronize()
            backs.append(back.get().view(np.uint8))
            back.free()
        given.free()
        cipher.free()
    results = {"cipher": np.concatenate(ciphers)}
    return results | {"plain": np.concatenate(backs)} if backs else results


def check(inputs, results):
    """Compare with the cipher of the package cryptography, which knows no tables of ours."""
    from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes  # noqa: PLC0415

    expected = []
    for plain, key in zip(inputs["plains"], inputs["keys"], strict=True):
        library = Cipher(algorithms.AES(key.tobytes()), modes.ECB()).encryptor()
        done = library.update(plain.tobytes()) + library.finalize()
        expected.append(np.frombuffer(done, np.uint8))
    against = "cryptography, AES in ECB mode"
    yield equal("cipher", results["cipher"], np.concatenate(expected), against)
    if inputs["decrypt"]:
        yield equal("plain", results["plain"], np.concatenate(inputs["plains"]), "the input")


def fetched(device, keys):
    """Make a texture of the keys of all rounds, as the kernels fetch them."""
    return device.texture(words_of(keys), linear_memory=True)


def set_constants(module):
    """Fill the constant memory of both kernels."""
    box = substitution_box()
    inverse = np.argsort(box).astype(np.uint8)
    constants = {
        "encrypt_tables": mixing_tables(box, ENCRYPT_MIXING),
        "encrypt_places": places(1),
        "decrypt_tables": mixing_tables(inverse, DECRYPT_MIXING),
        "decrypt_places": places(-1),
        "inverse_box": inverse,
    }
    for name, values in constants.items():
        module.symbol(name, values.dtype, values.shape).set(values)


def times(a, b):
    """Multiply bytes as polynomials over bits, modulo x^8 + x^4 + x^3 + x + 1."""
    a, b = np.broadcast_arrays(np.asarray(a, np.uint16), np.asarray(b, np.uint16))
    product = np.zeros_like(a)
    for bit in range(8):
        product ^= (a << bit) * (b >> bit & 1)
    for bit in range(14, 7, -1):
        product ^= (0x11B << (bit - 8)) * (product >> bit & 1)
    return product.astype(np.uint8)


def substitution_box():
    """Make the S-box: the inverse in the field, of which each bit is joined with four others."""
    byte = np.arange(256)
    is_inverse = times(byte[:, None], byte[None, :]) == 1
    inverse = is_inverse.argmax(axis=1)  # 0, which has none, stays 0
    twice = inverse | inverse << 8
    mixed = twice ^ twice >> 4 ^ twice >> 5 ^ twice >> 6 ^ twice >> 7
    return (mixed & 255 ^ 0x63).astype(np.uint8)


def mixing_tables(box, mixing):
    """Make a table for each row: what its byte, substituted, gives to all rows of the column."""
    columns = times(box[:, None], np.array(mixing)[None, :])
    return np.stack([words_of(np.roll(columns, row, axis=1)) for row in range(4)])


def expanded_key(key):
    """Make the keys of all rounds, of shape (rounds + 1, 4 columns, 4 rows)."""
    box, constant = substitution_box(), 1
    columns = list(key.reshape(4, 4))
    for i in range(4, 4 * (ROUNDS + 1)):
        last = columns[-1]
        if i % 4 == 0:
            last = box[np.roll(last, -1)]
            last[0] ^= constant
            constant = int(times(constant, 2))
        columns.append(columns[-4] ^ last)
    return np.stack(columns).reshape(ROUNDS + 1, 4, 4)


def inverse_keys(keys):
    """Turn the keys for decryption: last first, those between put through the inverse mixing."""
    matrix = np.stack([np.roll(DECRYPT_MIXING, row) for row in range(4)], axis=1)
    mixed = np.bitwise_xor.reduce(times(matrix, keys[..., None, :]), axis=-1)
    return np.concatenate([keys[-1:], mixed[-2:0:-1], keys[:1]])


def places(turn):
    """Say which byte of a block each row of each column comes from: row r, r columns further."""
    column, row = np.divmod(np.arange(16), 4)
    return (4 * ((column + turn * row) % 4) + row).astype(np.int32)


def words_of(values):
    """Join four bytes to a word, the first one lowest."""
    return np.ascontiguousarray(values).view("<u4").ravel()
