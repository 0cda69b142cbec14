package io.penstock.arrow.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.arrow.decode.ArraySpec;
import io.penstock.arrow.decode.Augmentation;
import io.penstock.arrow.decode.ColumnSpec;
import io.penstock.arrow.decode.ColumnType;
import io.penstock.arrow.decode.CsvSpec;
import io.penstock.arrow.decode.DecodeSpec;
import io.penstock.arrow.decode.Framing;
import io.penstock.arrow.decode.ImageSpec;
import io.penstock.arrow.decode.Interpolation;
import io.penstock.arrow.decode.JsonLinesSpec;
import io.penstock.arrow.decode.Normalisation;
import io.penstock.arrow.decode.ObjectFormat;
import io.penstock.arrow.decode.ParquetSpec;
import io.penstock.arrow.tensor.DType;
import io.penstock.arrow.tensor.TensorSpec;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DecodeOptionsTest {
  @Test
  void theLeastPictureIsStretchedBytes() throws IOException {
    assertThat(spec("{'as':'image','height':20,'width':30}"))
        .contains(ImageSpec.of(TensorSpec.nchw(DType.UINT8, 3, 20, 30)));
    assertThat(spec("{'as':'image','height':20,'width':30,'dtype':'float32','crop':'none'}"))
        .contains(ImageSpec.of(TensorSpec.nchw(DType.FLOAT32, 3, 20, 30)));
  }

  @Test
  void readsEveryOptionOfPictures() throws IOException {
    assertThat(
            spec(
                "{'as':'image','height':20,'width':30,'channels':1,'dtype':'float16',"
                    + "'layout':'nhwc','crop':{'how':'random','shorter-side':40},"
                    + "'interpolation':'bicubic','normalise':{'scale':2,'mean':[0.5],"
                    + "'deviation':[3]},'flip':0.25,'seed':-7,'upright':true}"))
        .contains(
            new ImageSpec(
                TensorSpec.nhwc(DType.FLOAT16, 20, 30, 1),
                new Framing.ResizeThenCrop(40, true),
                Interpolation.BICUBIC,
                new Normalisation(2, List.of(0.5), List.of(3.0)),
                new Augmentation(-7, 0.25),
                true));
    assertThat(
            spec(
                "{'as':'image','height':2,'width':2,'dtype':'float32','normalise':'imagenet',"
                    + "'crop':{'how':'random-resized','min-area':0.5}}"))
        .contains(
            ImageSpec.of(TensorSpec.nchw(DType.FLOAT32, 3, 2, 2))
                .with(Normalisation.IMAGENET)
                .with(new Framing.RandomResizedCrop(0.5, 1, 0.75, 4 / 3.0)));
  }

  @Test
  void readsArrays() throws IOException {
    assertThat(spec("{'as':'array','shape':[2,3],'dtype':'int64'}"))
        .contains(ArraySpec.of(TensorSpec.plain(DType.INT64, 2, 3)));
    assertThat(
            spec(
                "{'as':'array','shape':[3,2,2],'dtype':'float64','layout':'nchw','member':'x',"
                    + "'format':'npz'}"))
        .contains(
            ArraySpec.of(TensorSpec.nchw(DType.FLOAT64, 3, 2, 2))
                .withMember("x")
                .withFormat(ObjectFormat.NPZ));
  }

  @Test
  void readsTables() throws IOException {
    assertThat(spec("'csv'")).contains(CsvSpec.of());
    assertThat(
            spec(
                "{'as':'csv','columns':[{'name':'a','type':'int64'},{'name':'b','type':'string'}],"
                    + "'delimiter':';','header':false,'null':'NA'}"))
        .contains(
            new CsvSpec(
                List.of(
                    new ColumnSpec("a", ColumnType.INT64), new ColumnSpec("b", ColumnType.STRING)),
                ';',
                false,
                "NA"));
    assertThat(spec("{'as':'json-lines','columns':[{'name':'a','type':'float64'}]}"))
        .contains(JsonLinesSpec.of(new ColumnSpec("a", ColumnType.FLOAT64)));
    assertThat(spec("{'as':'parquet','columns':['a','b'],'row-group':2}"))
        .contains(ParquetSpec.of("a", "b").withRowGroup(2));
    assertThat(spec("'parquet'")).contains(ParquetSpec.of());
  }

  @Test
  void rawIsNoDecoder() throws IOException {
    assertThat(spec("'raw'")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {'as':'image','height':2,'width':2,'channels':2}        | /decode: | 1 or 3 channels
          {'as':'image','height':2,'width':2,'dtype':'int8'}      | /decode: | not int8
          {'as':'image','height':2,'width':2,'dtype':'bool'}      | /decode/dtype: | "uint8", "int8"
          {'as':'image','height':2,'width':2,'flip':2}            | /decode: | between 0 and 1
          {'as':'image','height':2,'width':2,'normalise':'unit'}  | /decode: | cannot be normalised
          {'as':'image','height':2,'width':2,'upright':1}         | /decode/upright: | true or false
          {'as':'image','height':2,'width':2,'crop':{'how':'centre'}} | /decode/crop: | "shorter-side" is missing
          {'as':'image','height':2,'width':2,'crop':{'how':'centre','shorter-side':3,'x':1}} | /decode/crop/x: | no such option
          {'as':'csv','delimiter':'ab'}                           | /decode: | one character
          {'as':'csv','columns':['a']}                            | /decode/columns: | objects
          {'as':'csv','columns':[{'name':'a','type':'date'}]}     | /decode/columns/0/type: | "boolean"
          {'as':'csv','columns':[{'name':'a','type':'int32'},{'name':'a','type':'int32'}]} | /decode: | two columns
          {'as':'parquet','columns':[1]}                          | /decode/columns: | texts in quotes
          {'as':'array','dtype':'int8'}                           | /decode: | "shape" is missing
          {'as':'array','shape':[2.5],'dtype':'int8'}             | /decode/shape: | whole numbers
          {'as':'array','shape':3,'dtype':'int8'}                 | /decode/shape: | an array
          {'as':'array','shape':[3]}                              | /decode: | "dtype" is missing
          {'as':'array','shape':[100000,100000],'dtype':'int8'}   | /decode: | elements
          """)
  void saysWhatMayStandThere(String decode, String place, String message) throws IOException {
    RequestResult result = read(decode);
    assertThat(result).isInstanceOf(RequestResult.Rejected.class);
    String text = ((RequestResult.Rejected) result).problem().text();
    assertThat(text).startsWith(place.replace(":", ", line 1: ")).contains(message);
  }

  @Test
  void aRequestThatNobodyCheckedIsCheckedHere() {
    DecodeRequest unknown = new DecodeRequest("x", new OptionValue.Fields(new LinkedHashMap<>()));
    assertThatThrownBy(() -> DecodeOptions.spec(unknown))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no decoder \"x\"");
  }

  private static Optional<DecodeSpec> spec(String decode) throws IOException {
    RequestResult result = read(decode);
    assertThat(result).isInstanceOf(RequestResult.Accepted.class);
    return DecodeOptions.spec(((RequestResult.Accepted) result).request().decode());
  }

  private static RequestResult read(String decode) throws IOException {
    String text = "{'version':1,'bucket':'b','prefix':'','decode':" + decode + "}";
    return new BatchRequestReader(RequestLimits.DEFAULT)
        .read(new ByteArrayInputStream(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8)));
  }
}
