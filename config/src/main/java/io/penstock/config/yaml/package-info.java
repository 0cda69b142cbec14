/**
 * YAML text as a tree with positions. In: the text of one file. Out: {@link
 * io.penstock.config.yaml.YamlDocument}, the tree plus what is wrong with the text itself. Called
 * by {@code ConfigLoader}. The only door to SnakeYAML Engine; knows nothing of the keys, reads no
 * file, and never repeats a piece of the text in a message, because that piece may be a secret.
 */
@NullMarked
package io.penstock.config.yaml;

import org.jspecify.annotations.NullMarked;
